# wrong: the layers stand after the words: (batch, longest, layers, size)
# loses: q6-batch-test
# says: The axes are in another order

# %% q6-batch
def padded_layers(vectors):
    longest = max(vector.shape[1] for vector in vectors)
    padded, mask = [], []
    for vector in vectors:
        words = np.swapaxes(vector, 0, 1)
        padded.append(np.pad(words, ((0, longest - len(words)), (0, 0), (0, 0))))
        mask.append(np.arange(longest) < len(words))
    return np.stack(padded), np.stack(mask)
