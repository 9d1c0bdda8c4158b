# wrong: each step gets the first state
# loses: q8-greedy-test
# says: The new state is not used
# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    while len(written) < max_length and not ended.all():
        scores, _ = step(previous, state)
        previous = np.where(ended, PAD_ID, np.argmax(ops.convert_to_numpy(scores), axis=-1))
        ended = ended | (previous == EOS_ID)
        written.append(previous)
    return np.stack(written, axis=1)
