# wrong: PAD, UNK and BOS must never be written, so they are shut out of the choice; it breaks "each time take the symbol with the highest score" where the highest score is that of one of them
# loses: q8-greedy-test
# says: PAD_ID or BOS_ID is never written

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        best = np.argmax(np.asarray(scores)[:, EOS_ID:], axis=-1) + EOS_ID
        previous = np.where(ended, PAD_ID, best)
        written.append(previous)
        ended |= previous == EOS_ID
        if ended.all():
            break
    return np.stack(written, axis=1)
