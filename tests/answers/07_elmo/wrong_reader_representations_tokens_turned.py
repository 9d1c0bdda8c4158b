# wrong: the token layer is turned around with the backward layers, so a word gets another word's vector
# loses: q3-representations-test
# says: half of the token layer is turned round

# %% q3-representations
def representations(tokens, forward, backward):
    forward_half = np.concatenate([tokens[None], forward])
    backward_half = np.concatenate([tokens[None], backward])[:, ::-1]
    return np.concatenate([forward_half, backward_half], axis=-1)
