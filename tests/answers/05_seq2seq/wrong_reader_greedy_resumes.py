# wrong: only the step right after EOS gives PAD_ID; then the sentence goes on
# loses: q9-greedy-test
# says: for one step and then goes on

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    written = np.full((batch, max_length), PAD_ID)
    previous = np.full(batch, BOS_ID)
    for i in range(max_length):
        scores, state = step(previous, state)
        previous = np.where(previous == EOS_ID, PAD_ID, np.argmax(scores, axis=-1))
        written[:, i] = previous
    return written
