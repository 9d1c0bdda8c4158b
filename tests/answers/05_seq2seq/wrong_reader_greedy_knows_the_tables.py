# wrong: the state is the number of the step, as in the given cell below, so one counts on by oneself (breaks: "You do not need to know what the state is; pass on what you got"; with a real model `state + i` is an error)
# loses: q9-greedy-test
# says: the state is: pass on what you got

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    for i in range(max_length):
        scores, _ = step(previous, state + i)
        previous = np.where(ended, PAD_ID, np.argmax(scores, axis=-1))
        written.append(previous)
        ended = ended | (previous == EOS_ID)
        if ended.all():
            break
    return np.stack(written, axis=1)
