# wrong: the loop stops as soon as one sentence of the batch has ended
# loses: q8-greedy-test
# says: as soon as one sentence has ended

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    written = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.argmax(scores, axis=-1)
        written.append(previous)
        if EOS_ID in previous:
            break
    return np.stack(written, axis=1)
