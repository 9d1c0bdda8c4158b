# wrong: log probabilities divided by the temperature, and exp without a new sum
# loses: q8-temperature-test
# says: not divided by their sum
# %% q8-temperature
def with_temperature(logits, temperature):
    return ops.exp(ops.log_softmax(logits, axis=-1) / temperature)
