# wrong: a number equal to the probability still chooses the true symbol, also with the probability 0
# loses: q7-mix-test
# says: A number that equals the probability takes the true symbol too

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return np.where(draws <= probability, true, predicted)
