# wrong: with attention the shorter of the two ways is counted, also the short cut past c_i
# loses: q14-path-test
# says: for j = 4 and i = 1, 2
# says: the shorter of two ways

# %% q14-path
def path_length(j, i, n, attention):
    without = 1 + (n - j) + 1 + (i - 1) + 1
    return min(4, without) if attention else without
