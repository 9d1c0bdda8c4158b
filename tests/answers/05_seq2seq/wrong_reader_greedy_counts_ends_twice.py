# wrong: when as many end tokens have come as there are sentences, all have ended (breaks: "Stop when all sentences have written the end token": a sentence that has ended can have EOS as its best symbol again, and is counted twice; another one is cut off)
# loses: q9-greedy-test
# says: before all sentences have written

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    finished = np.zeros(batch, dtype=bool)
    columns, ends = [], 0
    while len(columns) < max_length and ends < batch:
        scores, state = step(previous, state)
        best = np.argmax(scores, axis=1)
        ends += np.sum(best == EOS_ID)
        previous = np.where(finished, PAD_ID, best)
        finished |= best == EOS_ID
        columns.append(previous)
    return np.array(columns).T
