# wrong: the sum of squares is taken as the norm
# loses: q12-clip-test
# says: The square root is missing
# %% q12-clip
def clip_by_global_norm(gradients, limit):
    norm = sum((g**2).sum() for g in gradients)
    return [g * limit / norm if norm > limit else g for g in gradients]
