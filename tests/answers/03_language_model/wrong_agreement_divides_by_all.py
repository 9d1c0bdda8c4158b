# wrong: each count is divided by the number of all sentences
# loses: q14-agreement-test
# says: divided by the number of all sentences
# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    return [np.mean((right > wrong) & (attractors == number)) for number in range(4)]
