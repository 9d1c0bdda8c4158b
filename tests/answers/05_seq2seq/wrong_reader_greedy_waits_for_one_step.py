# wrong: stops only when all sentences write EOS in the same step, and cuts nothing off behind the ends
# loses: q9-greedy-test
# says: symbols go on after EOS_ID

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    columns = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.argmax(scores, axis=-1)
        columns.append(previous)
        if (previous == EOS_ID).all():
            break
    return np.stack(columns, axis=1)
