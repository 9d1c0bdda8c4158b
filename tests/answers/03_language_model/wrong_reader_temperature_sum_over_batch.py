# wrong: the exponentials are divided by the sum over the whole batch
# loses: q8-temperature-test
# says: the sum over the whole batch

# %% q8-temperature
def with_temperature(logits, temperature):
    z = np.asarray(logits) / temperature
    exponentials = np.exp(z - z.max())
    return exponentials / exponentials.sum()
