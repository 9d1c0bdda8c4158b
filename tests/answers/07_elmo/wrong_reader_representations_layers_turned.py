# wrong: backward[::-1] turns the order of the layers around, not that of the words
# loses: q3-representations-test
# says: turned round; turn the words

# %% q3-representations
def representations(tokens, forward, backward):
    forward = np.concatenate([tokens[None], forward])
    backward = np.concatenate([tokens[None], backward[::-1]])
    return np.concatenate([forward, backward], axis=-1)
