# wrong: exp of the scores as they are
# loses: q4-mix-test
# says: overflows
# %% q4-mix
def scalar_mix(layers, w, gamma):
    s = ops.exp(w) / ops.sum(ops.exp(w))
    return gamma * ops.einsum("l,blts->bts", s, layers)
