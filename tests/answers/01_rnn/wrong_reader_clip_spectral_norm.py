# wrong: asks NumPy for the norm "2", which is the length of a vector, but the largest singular value of a matrix (breaks the formula of n: the root of the sum of all squares)
# loses: q12-clip-test
# says: of a matrix is its largest singular value

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    """gradients: a list of arrays; limit: the largest norm of all of them together;
    returns a list of arrays of the same shapes"""

    norm = np.sqrt(sum(np.linalg.norm(g, 2) ** 2 for g in gradients))
    if norm > limit:
        return [g * (limit / norm) for g in gradients]
    return list(gradients)
