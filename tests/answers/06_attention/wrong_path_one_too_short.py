# wrong: the arrow from the encoder into the decoder is forgotten
# loses: q14-path-test
# says: one too short
# %% q14-path
def path_length(j, i, n, attention):
    if attention:
        return 4
    return 1 + (n - j) + (i - 1) + 1
