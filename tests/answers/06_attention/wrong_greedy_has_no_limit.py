# wrong: the loop ends only when one sentence never ends
# loses: q8-greedy-test
# says: more than max_length
# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    written = []
    while True:
        scores, state = step(previous, state)
        previous = np.argmax(ops.convert_to_numpy(scores), axis=-1)
        written.append(previous)
    return np.stack(written, axis=1)
