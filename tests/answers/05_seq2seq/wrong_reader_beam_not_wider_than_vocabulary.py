# wrong: there are always at least `width` candidates, so argpartition finds them (breaks: "Make all hypotheses that are one symbol longer … Keep the `width` best": where width is larger than the number of candidates, as in the first step with a small vocabulary, it is an error)
# loses: q10-beam-test

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        totals, states = [], []
        for ids, total, old in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, old)
            totals.append(total + log_probabilities(scores))
            states.append(new)
        totals = np.stack(totals)
        places = np.argpartition(totals.ravel(), -width)[-width:]
        longer = []
        for place in places:
            row, symbol = divmod(int(place), totals.shape[1])
            h = (beam[row][0] + [symbol], totals[row, symbol], states[row])
            (complete if symbol == EOS_ID else longer).append(h)
        beam = longer
        if not beam:
            break
    best = max(complete + beam, key=lambda h: h[1] / len(h[0]) ** power)
    return best[0], float(best[1] / len(best[0]) ** power)
