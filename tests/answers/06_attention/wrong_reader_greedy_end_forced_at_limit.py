# wrong: every sentence must have its end token, so one that is still going at max_length gets EOS_ID as its last symbol; it breaks "each time take the symbol with the highest score" (for the last step of a sentence that does not end)
# loses: q8-greedy-test
# says: a sentence that is cut off at max_length

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    ended = np.zeros(batch, dtype=bool)
    written = []
    for number in range(max_length):
        scores, state = step(previous, state)
        best = np.argmax(np.asarray(scores), axis=-1)
        if number == max_length - 1:
            best = np.full(batch, EOS_ID)
        previous = np.where(ended, PAD_ID, best)
        written.append(previous)
        ended |= previous == EOS_ID
        if ended.all():
            break
    return np.stack(written, axis=1)
