# wrong: a mask is just a length, so the first mask.sum() positions are taken as real wherever its True stand (padding on the left, a masked symbol in the middle); it breaks "m_j is 1 for a real position and 0 for padding"
# loses: q5-softmax-test
# says: The mask is taken for a length

# %% q5-softmax
def masked_softmax(scores, mask):
    scores, lengths = np.asarray(scores), np.asarray(mask).sum(axis=1)
    weights = np.zeros(scores.shape, dtype=scores.dtype)
    for b, length in enumerate(lengths):
        real = scores[b, :length] - scores[b, :length].max()
        weights[b, :length] = np.exp(real) / np.exp(real).sum()
    return weights
