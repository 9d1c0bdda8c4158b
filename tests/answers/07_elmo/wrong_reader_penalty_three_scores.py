# wrong: our biLM has three layers, so there are three scores (breaks the sum over all j: with two scores it fails, of four it forgets one)
# loses: q5-penalty-test
# says: Only the first three scores count

# %% q5-penalty
def mix_penalty(w, strength):
    return strength * (ops.square(w[0]) + ops.square(w[1]) + ops.square(w[2]))
