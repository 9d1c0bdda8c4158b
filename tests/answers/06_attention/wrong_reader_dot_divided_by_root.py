# wrong: the dot product is divided by the square root of the units, as in Transformers
# loses: q2-dot-test
# says: divided by the square root of the units

# %% q2-dot
def dot_product_score(query, keys):
    return ops.einsum("bu,bsu->bs", query, keys) / np.sqrt(query.shape[-1])
