# wrong: the outputs of the backward model stay in the order in which it reads
# loses: q3-representations-test
# says: not turned round
# %% q3-representations
def representations(tokens, forward, backward):
    layers = [np.concatenate([tokens, tokens], axis=-1)]
    for f, b in zip(forward, backward):
        layers.append(np.concatenate([f, b], axis=-1))
    return np.stack(layers)
