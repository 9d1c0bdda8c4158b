# wrong: each complete hypothesis takes one place of the beam for good, as in a well-known textbook (breaks: "Keep the `width` best of them by their sums", at each step; here a step after an end keeps fewer, also when the complete one is no longer among the best)
# loses: q10-beam-test
# says: takes one place of the beam for good

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    places = width
    for _ in range(max_length):
        candidates = []
        for ids, total, old in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, old)
            for symbol, log_p in enumerate(log_probabilities(scores)):
                candidates.append((ids + [symbol], total + log_p, new))
        best = sorted(candidates, key=lambda h: h[1], reverse=True)[:places]
        complete += [h for h in best if h[0][-1] == EOS_ID]
        beam = [h for h in best if h[0][-1] != EOS_ID]
        places = width - len(complete)
        if places <= 0 or not beam:
            break
    results = [(total / len(ids) ** power, ids) for ids, total, _ in complete + beam]
    score, ids = max(results)
    return ids, float(score)
