# wrong: below the probability the predicted symbol is taken
# loses: q7-mix-test
# says: wrong way round
# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return np.where(draws < probability, predicted, true)
