# wrong: the source counts in the loss too
# loses: q8-separator-test
# says: The source counts in the loss too
# %% q8-separator
def join(source, target, sep_id, eos_id):
    sequence = np.concatenate([source, [sep_id], target, [eos_id]])
    return sequence[:-1], sequence[1:], np.ones(len(sequence) - 1, dtype=bool)
