# wrong: the mean of the weighted layers, where their sum is the mean already
# loses: q4-mix-test
# says: divided by their number

# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.reshape(ops.softmax(w), (1, -1, 1, 1))
    return gamma * ops.mean(s * layers, axis=1)
