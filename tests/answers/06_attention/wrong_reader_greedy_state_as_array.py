# wrong: the state is one array, so it is turned into one before it is passed on; it breaks "you do not need to know what the state is; pass on what you got" for a state that is a dictionary, a tuple or any other thing
# loses: q8-greedy-test
# says: pass on what you got

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    for _ in range(max_length):
        scores, state = step(previous, np.array(state))
        previous = np.where(ended, PAD_ID, np.argmax(np.asarray(scores), axis=-1))
        written.append(previous)
        ended |= previous == EOS_ID
        if ended.all():
            break
    return np.stack(written, axis=1)
