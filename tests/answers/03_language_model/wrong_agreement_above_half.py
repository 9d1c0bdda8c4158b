# wrong: the right form must have more than one half, though other words are possible too
# loses: q14-agreement-test
# says: above one half
# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    return [np.mean(np.exp(right[attractors == number]) > 0.5) for number in range(4)]
