# wrong: axis 0 is turned round, which holds the layers
# loses: q3-representations-test
# says: turn the words
# %% q3-representations
def representations(tokens, forward, backward):
    above = np.concatenate([forward, backward[::-1]], axis=-1)
    return np.concatenate([np.concatenate([tokens, tokens], axis=-1)[None], above])
