# wrong: each score is reshaped before the softmax, so that it runs over an axis of length 1
# loses: q4-mix-test
# says: each s is 1
# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.softmax(ops.reshape(w, (1, -1, 1, 1)), axis=-1)
    return gamma * ops.sum(s * layers, axis=1)
