# wrong: np.squeeze without an axis takes away the batch axis too where the batch has one sentence (and the source axis where it has one symbol)
# loses: q3-multiplicative-test
# says: as np.squeeze does without an axis

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    """query (batch, query_units), keys (batch, source, key_units), W (query_units, key_units);
    returns scores (batch, source)"""
    projected = np.matmul(query, W)  # (batch, key_units)
    return np.squeeze(np.matmul(keys, projected[:, :, np.newaxis]))
