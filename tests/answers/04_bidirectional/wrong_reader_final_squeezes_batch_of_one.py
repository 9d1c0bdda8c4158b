# wrong: axes of size one are not needed
# loses: q6-final-test
# says: with a batch of one should have the shape

# %% q6-final
def final_states(outputs, mask):
    outputs = np.asarray(outputs)
    units = outputs.shape[-1] // 2
    last = np.asarray(mask).sum(axis=1) - 1
    forward = outputs[np.arange(len(outputs)), last, :units]
    return np.squeeze(np.concatenate([forward, outputs[:, 0, units:]], axis=-1))
