# wrong: the new state gets another name and is not passed on
# loses: q9-greedy-test
# says: new state is not used
# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    output = []
    for _ in range(max_length):
        scores, new_state = step(previous, state)
        previous = np.where(ended, PAD_ID, np.argmax(scores, axis=-1))
        output.append(previous)
        ended |= previous == EOS_ID
        if ended.all():
            break
    return np.stack(output, axis=1)
