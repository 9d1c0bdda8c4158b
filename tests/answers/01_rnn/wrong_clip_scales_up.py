# wrong: the norm is made equal to the limit, also where it was smaller
# loses: q12-clip-test
# says: Gradients with a small norm are scaled up
# %% q12-clip
def clip_by_global_norm(gradients, limit):
    norm = np.sqrt(sum((g**2).sum() for g in gradients))
    if norm == 0:
        return gradients
    return [g * limit / norm for g in gradients]
