# wrong: the longest sentence must come first, as for packed sequences, so the list itself is sorted; row i is no longer sentence i (breaks '`bilm.embed(sentences)` gives for each sentence an array. Put them into one array' (batch, ...): they are put in another order, and the caller's list too)
# loses: q6-batch-test
# says: The sentences are in another order

# %% q6-batch
def padded_layers(vectors):
    vectors.sort(key=lambda each: each.shape[1], reverse=True)
    layers, longest, size = vectors[0].shape
    all_layers = np.zeros((len(vectors), layers, longest, size), "float32")
    mask = np.zeros((len(vectors), longest), bool)
    for row, each in enumerate(vectors):
        all_layers[row, :, : each.shape[1]] = each
        mask[row, : each.shape[1]] = True
    return all_layers, mask
