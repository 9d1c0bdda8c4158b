# wrong: gamma is a number, so it is made a Python float; no gradient reaches it any more (breaks 'part 5 trains w and gamma through your function, and the gradient must pass')
# loses: q4-mix-test
# says: No gradient comes to gamma

# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.softmax(w)
    return float(gamma) * ops.sum(ops.reshape(s, (1, -1, 1, 1)) * layers, axis=1)
