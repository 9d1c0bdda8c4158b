# wrong: the score is not divided by the length
# loses: q10-beam-test
# says: not divided by the length
# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beams = [([], 0.0, state)]
    finished = []
    for _ in range(max_length):
        candidates = []
        for ids, total, s in beams:
            scores, new = step(ids[-1] if ids else BOS_ID, s)
            logs = log_probabilities(scores)
            candidates += [(ids + [v], total + logs[v], new) for v in range(len(logs))]
        candidates = sorted(candidates, key=lambda c: c[1], reverse=True)[:width]
        finished += [c for c in candidates if c[0][-1] == EOS_ID]
        beams = [c for c in candidates if c[0][-1] != EOS_ID]
    best = max(finished + beams, key=lambda c: c[1])
    return best[0], best[1]
