# wrong: gamma is forgotten
# loses: q4-mix-test
# says: gamma has no part
# %% q4-mix
def scalar_mix(layers, w, gamma):
    return ops.einsum("l,blts->bts", ops.softmax(w), layers)
