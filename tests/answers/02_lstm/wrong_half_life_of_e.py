# wrong: the time until 1/e is left, not one half
# loses: q13-half-test
# says: the question is about one half
# %% q13-half
def half_life(bias):
    return -1 / np.log(1 / (1 + np.exp(-bias)))
