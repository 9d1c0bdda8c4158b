# wrong: a state of zeros marks the padding
# loses: q6-final-test
# says: last column, which may be padding

# %% q6-final
def final_states(outputs, mask):
    outputs = np.asarray(outputs)
    units = outputs.shape[-1] // 2
    last = np.any(outputs != 0, axis=-1).sum(axis=1) - 1
    return np.concatenate(
        [outputs[np.arange(len(outputs)), last, :units], outputs[:, 0, units:]], axis=-1
    )
