# wrong: tanh is taken of W q and of U h apart, and the two are added after it
# loses: q4-additive-test
# says: The tanh is taken of each part

# %% q4-additive
def additive_score(query, keys, W, U, v):
    q = ops.tanh(ops.matmul(query, W))[:, None]
    h = ops.tanh(ops.matmul(keys, U))
    return ops.einsum("bsu,u->bs", q + h, v)
