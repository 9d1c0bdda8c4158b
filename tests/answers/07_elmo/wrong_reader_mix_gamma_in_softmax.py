# wrong: gamma multiplies the scores, inside the softmax, and not the mixture
# loses: q4-mix-test
# says: inside the softmax

# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.softmax(gamma * w)
    return ops.einsum("j,bjts->bts", s, layers)
