# wrong: the scores themselves are taken for weights
# loses: q4-mix-test
# says: softmax is missing
# %% q4-mix
def scalar_mix(layers, w, gamma):
    return gamma * ops.einsum("l,blts->bts", w, layers)
