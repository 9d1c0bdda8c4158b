# wrong: the fraction stands upside down
# loses: q13-half-test
# says: The fraction stands upside down
# %% q13-half
def half_life(bias):
    return float(np.log(1 / (1 + np.exp(-bias))) / np.log(0.5))
