# wrong: the probabilities are divided by the temperature
# loses: q8-temperature-test
# says: comes after the softmax
# %% q8-temperature
def with_temperature(logits, temperature):
    return ops.softmax(logits, axis=-1) / temperature
