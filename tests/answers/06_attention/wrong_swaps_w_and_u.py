# wrong: W is applied to the keys and U to the query
# loses: q4-additive-test
# says: W and U are swapped
# %% q4-additive
def additive_score(query, keys, W, U, v):
    hidden = ops.expand_dims(ops.matmul(query, U), 1) + ops.matmul(keys, W)
    return ops.einsum("bsu,u->bs", ops.tanh(hidden), v)
