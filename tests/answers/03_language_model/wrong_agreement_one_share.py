# wrong: one share for all sentences
# loses: q14-agreement-test
# says: one for each number of attractors
# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    return np.mean(right > wrong)
