# wrong: squeeze takes away the one axis that the product with a column left; it also takes a batch of one, a time of one and a size of one (breaks 'returns (batch, time, size)')
# loses: q4-mix-test
# says: as squeeze does without an axis

# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.reshape(ops.softmax(w), (-1, 1))
    mixed = ops.matmul(ops.moveaxis(layers, 1, -1), s)  # (batch, time, size, 1)
    return gamma * ops.squeeze(mixed)
