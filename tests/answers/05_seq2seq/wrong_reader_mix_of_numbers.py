# wrong: the ids themselves are mixed, weighted with the probability; an id between two others is another symbol
# loses: q7-mix-test
# says: The two ids are mixed by weights

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    mixed = probability * np.asarray(true) + (1 - probability) * np.asarray(predicted)
    return np.round(mixed).astype(int)
