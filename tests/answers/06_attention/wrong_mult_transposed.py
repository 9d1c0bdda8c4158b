# wrong: W is used transposed, as (key_units, query_units)
# loses: q3-multiplicative-test
# says: W is transposed

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    """query (batch, query_units), keys (batch, source, key_units), W (query_units, key_units);
    returns scores (batch, source)"""
    return ops.einsum("bq,kq,bsk->bs", query, W, keys)
