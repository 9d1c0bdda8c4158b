# wrong: the half is taken of axis 1
# loses: q6-final-test
# says: half of the time

# %% q6-final
def final_states(outputs, mask):
    outputs = np.asarray(outputs)
    half = outputs.shape[1] // 2
    last = np.asarray(mask).sum(axis=1) - 1
    forward = outputs[np.arange(len(outputs)), last, :half]
    return np.concatenate([forward, outputs[:, 0, half:]], axis=-1)
