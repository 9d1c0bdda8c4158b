# wrong: the norms of the arrays are added up, in place of their squares
# loses: q12-clip-test
# says: The norms of the arrays are added up

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    n = sum(np.linalg.norm(gradient) for gradient in gradients)
    if n > limit:
        return [gradient * limit / n for gradient in gradients]
    return gradients
