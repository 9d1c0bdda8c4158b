# wrong: the first hypothesis that ends is returned
# loses: q10-beam-test
# says: first complete hypothesis is returned
# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beams = [([], 0.0, state)]
    for _ in range(max_length):
        candidates = []
        for ids, total, s in beams:
            scores, new = step(ids[-1] if ids else BOS_ID, s)
            logs = log_probabilities(scores)
            candidates += [(ids + [v], total + logs[v], new) for v in range(len(logs))]
        beams = sorted(candidates, key=lambda c: c[1], reverse=True)[:width]
        finished = [c for c in beams if c[0][-1] == EOS_ID]
        if finished:
            beams = finished
            break
    best = max(beams, key=lambda c: c[1] / len(c[0]) ** power)
    return best[0], best[1] / len(best[0]) ** power
