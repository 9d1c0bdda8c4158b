# wrong: the first draw decides for the whole batch
# loses: q7-mix-test
# says: first number decides for all

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return true if draws[0] < probability else predicted
