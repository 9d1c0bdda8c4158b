# wrong: each array is clipped by its own norm, as tf.clip_by_norm does
# loses: q12-clip-test
# says: Each array is clipped for itself
# %% q12-clip
def clip_by_global_norm(gradients, limit):
    result = []
    for g in gradients:
        norm = np.linalg.norm(g)
        result.append(g * limit / norm if norm > limit else g)
    return result
