# wrong: only the top layer is taken
# loses: q4-mix-test
# says: top layer alone
# %% q4-mix
def scalar_mix(layers, w, gamma):
    return gamma * ops.convert_to_tensor(layers)[:, -1]
