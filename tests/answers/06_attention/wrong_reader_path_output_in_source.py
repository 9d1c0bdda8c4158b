# wrong: an output has no more symbols than the source, so i is cut at n; it breaks "on to s_i" without attention for an output i after the n-th (the source has n symbols, the target may have more)
# loses: q14-path-test
# says: i may be larger than n

# %% q14-path
def path_length(j, i, n, attention):
    if attention:
        return 4
    return 1 + (n - j) + 1 + (min(i, n) - 1) + 1
