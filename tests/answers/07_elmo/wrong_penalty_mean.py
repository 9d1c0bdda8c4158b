# wrong: the mean of the squares
# loses: q5-penalty-test
# says: mean of the squares
# %% q5-penalty
def mix_penalty(w, strength):
    return strength * ops.mean(ops.square(w))
