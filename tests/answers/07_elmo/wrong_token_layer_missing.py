# wrong: only the layers of the LSTMs, without the token layer
# loses: q3-representations-test
# says: token layer is missing
# %% q3-representations
def representations(tokens, forward, backward):
    return np.concatenate([forward, backward[:, ::-1]], axis=-1)
