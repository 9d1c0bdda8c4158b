# wrong: `power or 1.0` is a safe way to have a default (breaks: "score(y) = log p(y) / |y|^power": with power 0 nothing is divided, here it is divided by the length)
# loses: q10-beam-test
# says: no division by the length (power 0)

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    power = power or 1.0
    beam, done = [([], 0.0, state)], []
    while beam and max_length > 0:
        max_length -= 1
        options = []
        for ids, total, before in beam:
            scores, after = step(ids[-1] if ids else BOS_ID, before)
            logs = log_probabilities(scores)
            options += [(ids + [k], total + logs[k], after) for k in range(len(logs))]
        options = sorted(options, key=lambda option: -option[1])[:width]
        done += [option for option in options if option[0][-1] == EOS_ID]
        beam = [option for option in options if option[0][-1] != EOS_ID]

    def score(option):
        return option[1] / len(option[0]) ** power

    best = max(done + beam, key=score)
    return best[0], float(score(best))
