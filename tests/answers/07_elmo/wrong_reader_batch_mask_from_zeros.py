# wrong: finds the padding by a zero at the first place of the token vector, where a word can have one too
# loses: q6-batch-test
# says: made from zeros in the vectors

# %% q6-batch
def padded_layers(vectors):
    longest = max(vector.shape[1] for vector in vectors)
    batch = np.zeros((len(vectors), vectors[0].shape[0], longest, vectors[0].shape[2]))
    for number, vector in enumerate(vectors):
        batch[number, :, : vector.shape[1]] = vector
    return batch, batch[:, 0, :, 0] != 0
