# wrong: there is no end token, so the model never learns to stop
# loses: q8-separator-test
# says: no end token
# %% q8-separator
def join(source, target, sep_id, eos_id):
    sequence = np.concatenate([source, [sep_id], target])
    mask = np.arange(len(sequence) - 1) >= len(source)
    return sequence[:-1], sequence[1:], mask
