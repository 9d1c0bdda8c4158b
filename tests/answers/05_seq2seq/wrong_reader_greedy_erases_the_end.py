# wrong: who has ended is noted one line too early, so PAD_ID is written over the EOS itself
# loses: q9-greedy-test
# says: end token is missing

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    columns = []
    while len(columns) < max_length and not ended.all():
        scores, state = step(previous, state)
        best = np.argmax(scores, axis=-1)
        ended = ended | (best == EOS_ID)
        previous = np.where(ended, PAD_ID, best)
        columns.append(previous)
    return np.stack(columns, axis=1)
