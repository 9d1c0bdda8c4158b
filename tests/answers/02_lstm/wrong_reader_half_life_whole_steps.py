# wrong: the number of steps is rounded up
# loses: q13-half-test
# says: rounded to whole steps

# %% q13-half
def half_life(bias):
    gate = 1 / (1 + np.exp(-bias))
    return int(np.ceil(np.log(0.5) / np.log(gate)))
