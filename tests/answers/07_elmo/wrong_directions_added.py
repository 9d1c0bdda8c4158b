# wrong: the two directions are added, as merge_mode='sum' does
# loses: q3-representations-test
# says: directions are added
# %% q3-representations
def representations(tokens, forward, backward):
    return np.concatenate([2 * tokens[None], forward + backward[:, ::-1]])
