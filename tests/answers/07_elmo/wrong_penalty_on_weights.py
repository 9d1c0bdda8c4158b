# wrong: the penalty is on the softmax weights
# loses: q5-penalty-test
# says: softmax weights
# %% q5-penalty
def mix_penalty(w, strength):
    return strength * ops.sum(ops.square(ops.softmax(w)))
