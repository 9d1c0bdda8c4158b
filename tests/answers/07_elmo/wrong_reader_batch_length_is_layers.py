# wrong: takes len(vector) for the number of words, which is the number of layers, in the mask
# loses: q6-batch-test
# says: mask counts the layers

# %% q6-batch
def padded_layers(vectors):
    longest = max(vector.shape[1] for vector in vectors)
    padded, mask = [], []
    for vector in vectors:
        missing = longest - vector.shape[1]
        padded.append(np.pad(vector, ((0, 0), (0, missing), (0, 0))))
        mask.append(np.arange(longest) < len(vector))
    return np.stack(padded), np.stack(mask)
