# wrong: squeeze drops every axis of length 1 and atleast_2d mends the batch of one, but a source of one symbol (and keys with one unit in question 6) comes out as (1, batch); it breaks "returns scores (batch, source)" and "returns the context (batch, key_units)"
# loses: q2-dot-test q4-additive-test q6-context-test
# says: as np.squeeze does without an axis

# %% q2-dot
def dot_product_score(query, keys):
    scores = np.matmul(np.asarray(keys), np.asarray(query)[:, :, None])  # (batch, source, 1)
    return np.atleast_2d(np.squeeze(scores))

# %% q4-additive
def additive_score(query, keys, W, U, v):
    moved = np.asarray(query)[:, None, :] @ np.asarray(W)
    hidden = np.tanh(moved + np.asarray(keys) @ np.asarray(U))
    return np.atleast_2d((hidden @ np.asarray(v)[:, None]).squeeze())

# %% q6-context
def context_vector(weights, keys):
    summed = np.matmul(np.asarray(weights)[:, None, :], np.asarray(keys))  # (batch, 1, key_units)
    return np.atleast_2d(np.squeeze(summed))
