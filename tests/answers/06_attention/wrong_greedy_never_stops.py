# wrong: the loop goes on after the end token
# loses: q8-greedy-test
# says: never stops at the end token
# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    written = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.argmax(ops.convert_to_numpy(scores), axis=-1)
        written.append(previous)
    return np.stack(written, axis=1)
