# wrong: one coin for the whole batch, as in many tutorials
# loses: q7-mix-test
# says: each has its own
# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return true if draws[0] < probability else predicted
