# wrong: only the number counts, so NumPy is as good; no gradient passes, and the penalty pulls at nothing (breaks 'with `keras.ops` as in question 4', where 'the gradient must pass')
# loses: q5-penalty-test
# says: No gradient can come to w

# %% q5-penalty
def mix_penalty(w, strength):
    return strength * float(np.sum(np.asarray(w) ** 2))
