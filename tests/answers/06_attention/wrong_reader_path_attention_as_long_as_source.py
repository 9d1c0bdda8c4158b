# wrong: read off the figure with "chat": with attention the path has as many arrows as the source has symbols (4); it breaks "with attention: x_j -> h_j -> c_i -> s_i -> y_i", 4 arrows for all n
# loses: q14-path-test
# says: does not depend on the length of the source

# %% q14-path
def path_length(j, i, n, attention):
    through_states = 1 + (n - j) + 1 + (i - 1) + 1
    return n if attention else through_states
