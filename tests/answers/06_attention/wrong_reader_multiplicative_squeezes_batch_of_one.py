# wrong: squeeze without an axis also takes away the batch axis where the batch has one sentence
# loses: q3-multiplicative-test
# says: Each axis of length 1 was taken away

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    projected = ops.expand_dims(ops.matmul(query, W), -1)
    return ops.squeeze(ops.matmul(keys, projected))
