# wrong: the sentence marks at both ends keep their places, and only the words between them are turned round (breaks 'position 0 of `backward` belongs to the last word')
# loses: q3-representations-test
# says: The first and the last word keep their places

# %% q3-representations
def representations(tokens, forward, backward):
    back = np.array(backward)
    if back.shape[1] > 2:
        back[:, 1:-1] = back[:, -2:0:-1].copy()
    token_layer = np.concatenate([tokens, tokens], axis=-1)[None]
    return np.concatenate([token_layer, np.concatenate([forward, back], axis=-1)])
