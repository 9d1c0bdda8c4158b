# wrong: the logits are multiplied by the temperature
# loses: q8-temperature-test
# says: are multiplied by the temperature
# %% q8-temperature
def with_temperature(logits, temperature):
    return ops.softmax(logits * temperature)
