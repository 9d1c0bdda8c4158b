# wrong: clipping the scores to 80 keeps exp from overflowing; but then 500 and 400 count the same (breaks s = softmax(w) with 'Scores can be large (500 and more)')
# loses: q4-mix-test
# says: Scores far from 0 are cut off

# %% q4-mix
def scalar_mix(layers, w, gamma):
    e = ops.exp(ops.clip(w, -80.0, 80.0))
    s = e / ops.sum(e)
    return gamma * ops.sum(ops.reshape(s, (1, -1, 1, 1)) * layers, axis=1)
