# wrong: the loop ends when as many end tokens were chosen as there are sentences; a sentence that has ended and would choose EOS_ID again is counted twice, and another one is cut off; it breaks "stop when all sentences have written the end token"
# loses: q8-greedy-test
# says: It stops before all sentences have written the end token

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    ends, written = 0, []
    while len(written) < max_length and ends < batch:
        scores, state = step(previous, state)
        best = np.argmax(np.asarray(scores), axis=-1)
        ends += int((best == EOS_ID).sum())
        previous = np.where(ended, PAD_ID, best)
        ended |= best == EOS_ID
        written.append(previous)
    return np.stack(written, axis=1)
