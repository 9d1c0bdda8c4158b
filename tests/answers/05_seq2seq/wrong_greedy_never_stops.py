# wrong: the loop goes on after the end token
# loses: q9-greedy-test
# says: never stops at the end token
# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    output = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.argmax(scores, axis=-1)
        output.append(previous)
    return np.stack(output, axis=1)
