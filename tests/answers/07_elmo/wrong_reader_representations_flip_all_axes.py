# wrong: np.flip without an axis turns the layers and the numbers of a vector around too
# loses: q3-representations-test
# says: as np.flip does without an axis

# %% q3-representations
def representations(tokens, forward, backward):
    backward = np.flip(backward)
    layer_0 = np.concatenate([tokens, tokens], axis=-1)
    return np.stack([layer_0] + [np.concatenate(pair, axis=-1) for pair in zip(forward, backward)])
