# wrong: no tanh: v is multiplied with the plain sum of W q and U h
# loses: q4-additive-test
# says: tanh is missing

# %% q4-additive
def additive_score(query, keys, W, U, v):
    """query (batch, query_units), keys (batch, source, key_units),
    W (query_units, units), U (key_units, units), v (units,);
    returns scores (batch, source)"""
    hidden = ops.expand_dims(ops.matmul(query, W), axis=1) + ops.matmul(keys, U)
    return ops.einsum("bsu,u->bs", hidden, v)
