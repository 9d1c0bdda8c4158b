# wrong: forgets the root in the comparison alone, which shows nothing for limit 1 (breaks "If n is larger than limit ... If not, leave them as they are")
# loses: q12-clip-test
# says: compare its root, the norm

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    """gradients: a list of arrays; limit: the largest norm of all of them together;
    returns a list of arrays of the same shapes"""

    total = sum(np.sum(np.square(g)) for g in gradients)
    if total > limit:
        return [g * (limit / np.sqrt(total)) for g in gradients]
    return gradients
