# wrong: the minus of the sigmoid is forgotten, so the half-life falls where the bias rises
# loses: q13-half-test
# says: The sigmoid has the wrong sign

# %% q13-half
def half_life(bias):
    return np.log(0.5) / np.log(1 / (1 + np.exp(bias)))
