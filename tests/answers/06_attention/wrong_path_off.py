# wrong: n - j - 1 in place of n - j arrows between the encoder states
# loses: q14-path-test
# says: It is one too short

# %% q14-path
def path_length(j, i, n, attention):
    """Arrows from input x_j to output y_i; n source symbols; attention: True or False"""
    if attention:
        return 4
    return 1 + (n - j - 1) + 1 + (i - 1) + 1
