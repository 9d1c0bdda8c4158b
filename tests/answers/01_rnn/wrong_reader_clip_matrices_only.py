# wrong: takes the two indices ij of the formula for "the matrices", and leaves the bias vectors out of the norm (breaks "All arrays together count as one long vector")
# loses: q12-clip-test
# says: Only the matrices count in the norm

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    """gradients: a list of arrays; limit: the largest norm of all of them together;
    returns a list of arrays of the same shapes"""

    norm = np.sqrt(sum(np.sum(g**2) for g in gradients if np.ndim(g) == 2))
    if norm > limit:
        return [g * (limit / norm) for g in gradients]
    return list(gradients)
