# wrong: each number is clipped
# loses: q12-clip-test
# says: Each number is clipped for itself
# %% q12-clip
def clip_by_global_norm(gradients, limit):
    return [np.clip(g, -limit, limit) for g in gradients]
