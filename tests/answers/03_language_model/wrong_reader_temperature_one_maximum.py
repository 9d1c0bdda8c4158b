# wrong: one largest logit for the whole batch is enough against overflow
# loses: q8-temperature-test
# says: not one for all

# %% q8-temperature
def with_temperature(logits, temperature):
    scaled = np.asarray(logits) / temperature
    powers = np.exp(scaled - scaled.max())
    return powers / powers.sum(axis=-1, keepdims=True)
