# wrong: the dot product sums over the source axis, not over the units
# loses: q2-dot-test
# says: over the source positions

# %% q2-dot
def dot_product_score(query, keys):
    """query (batch, units), keys (batch, source, units); returns scores (batch, source)"""
    return ops.sum(ops.expand_dims(query, 1) * keys, axis=1)
