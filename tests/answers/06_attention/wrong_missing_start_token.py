# wrong: the loop begins with zeros (PAD_ID) in place of the start token
# loses: q8-greedy-test
# says: start token

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.zeros(batch, dtype="int32")
    ended = np.zeros(batch, dtype=bool)
    columns = []
    while len(columns) < max_length and not ended.all():
        scores, state = step(previous, state)
        best = np.argmax(np.asarray(scores), axis=-1)
        previous = np.where(ended, PAD_ID, best)
        columns.append(previous)
        ended = ended | (previous == EOS_ID)
    return np.stack(columns, axis=1)
