# wrong: the squares of the softmax weights, not of the scores w
# loses: q5-penalty-test
# says: on the softmax weights

# %% q5-penalty
def mix_penalty(w, strength):
    return strength * ops.sum(ops.softmax(w) ** 2)
