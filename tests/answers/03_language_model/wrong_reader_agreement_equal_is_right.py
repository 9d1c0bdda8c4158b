# wrong: at least as probable is good enough
# loses: q14-agreement-test
# says: only as probable as the wrong one counts too

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    good = np.asarray(right) >= np.asarray(wrong)
    return [good[np.asarray(attractors) == number].mean() for number in range(4)]
