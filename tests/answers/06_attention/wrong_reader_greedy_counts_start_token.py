# wrong: the start token counts as one of the max_length symbols, so the loop ends one step too early
# loses: q8-greedy-test
# says: It stops before it has written max_length symbols

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    written = [np.full(batch, BOS_ID)]
    finished = np.zeros(batch, dtype=bool)
    while len(written) < max_length and not finished.all():
        scores, state = step(written[-1], state)
        best = np.where(finished, PAD_ID, np.argmax(scores, axis=-1))
        finished = finished | (best == EOS_ID)
        written.append(best)
    return np.stack(written[1:], axis=1)
