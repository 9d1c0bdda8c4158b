# wrong: the mask begins at the first symbol of the target among the inputs, one place too late
# loses: q8-separator-test
# says: first symbol of the target does not count
# %% q8-separator
def join(source, target, sep_id, eos_id):
    sequence = np.concatenate([source, [sep_id], target, [eos_id]])
    mask = np.zeros(len(sequence) - 1, dtype=bool)
    mask[len(source) + 1 :] = True
    return sequence[:-1], sequence[1:], mask
