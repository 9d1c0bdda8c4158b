# wrong: each hypothesis is made longer by its best symbol alone
# loses: q10-beam-test
# says: made longer by its best symbol alone
# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beams = [([], 0.0, state)] * width
    for _ in range(max_length):
        new_beams = []
        for ids, total, s in beams:
            if ids and ids[-1] == EOS_ID:
                new_beams.append((ids, total, s))
                continue
            scores, new = step(ids[-1] if ids else BOS_ID, s)
            logs = log_probabilities(scores)
            best = int(np.argmax(logs))
            new_beams.append((ids + [best], total + logs[best], new))
        beams = new_beams
    best = max(beams, key=lambda c: c[1] / len(c[0]) ** power)
    return best[0], best[1] / len(best[0]) ** power
