# wrong: the scores of the model are added up, not logarithms of probabilities
# loses: q10-beam-test
# says: add up the logarithms of the probabilities
# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beams = [([], 0.0, state)]
    finished = []
    for _ in range(max_length):
        candidates = []
        for ids, total, s in beams:
            scores, new = step(ids[-1] if ids else BOS_ID, s)
            candidates += [(ids + [v], total + scores[v], new) for v in range(len(scores))]
        candidates = sorted(candidates, key=lambda c: c[1], reverse=True)[:width]
        finished += [c for c in candidates if c[0][-1] == EOS_ID]
        beams = [c for c in candidates if c[0][-1] != EOS_ID]
    best = max(finished + beams, key=lambda c: c[1] / len(c[0]) ** power)
    return best[0], best[1] / len(best[0]) ** power
