# wrong: a sentence that writes padding has ended (breaks: "Each time take the symbol with the highest score" and "After its EOS it gets PAD_ID": where PAD_ID has the highest score before the EOS, the sentence must go on)
# loses: q9-greedy-test
# says: ends at PAD_ID as if it were EOS_ID

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    columns = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.where(ended, PAD_ID, np.argmax(np.asarray(scores), axis=-1))
        columns.append(previous)
        ended |= (previous == EOS_ID) | (previous == PAD_ID)
        if ended.all():
            break
    return np.stack(columns, axis=-1)
