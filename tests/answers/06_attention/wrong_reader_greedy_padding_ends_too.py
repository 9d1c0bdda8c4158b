# wrong: a sentence that writes PAD_ID has ended as well; it breaks "stop when all sentences have written the end token" and "after its EOS it gets PAD_ID": a PAD_ID with the highest score before the end token ends nothing
# loses: q8-greedy-test
# says: A sentence ends at PAD_ID as if it were EOS_ID

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    going = np.ones(batch, dtype=bool)
    written = []
    for _ in range(max_length):
        scores, state = step(previous, state)
        previous = np.where(going, np.argmax(np.asarray(scores), axis=-1), PAD_ID)
        written.append(previous)
        going = going & (previous != EOS_ID) & (previous != PAD_ID)
        if not going.any():
            break
    return np.stack(written, axis=1)
