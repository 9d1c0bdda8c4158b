# wrong: a temperature near 0 is not allowed to be used as it is
# loses: q8-temperature-test
# says: A low temperature is replaced by a higher one

# %% q8-temperature
def with_temperature(logits, temperature):
    return ops.softmax(ops.convert_to_tensor(logits) / max(temperature, 0.1), axis=-1)
