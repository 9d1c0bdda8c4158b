# wrong: the two ends are swapped: the forward state of the first word, the backward one of the last
# loses: q6-final-test
# says: The two positions are swapped

# %% q6-final
def final_states(outputs, mask):
    units = outputs.shape[-1] // 2
    last = np.sum(mask, axis=1) - 1
    forward = outputs[:, 0, :units]
    backward = outputs[np.arange(len(outputs)), last, units:]
    return np.concatenate([forward, backward], axis=-1)
