# wrong: the mask is made from values: a symbol of the source that also stands in the target counts in the loss
# loses: q8-separator-test
# says: The target is found by its symbols

# %% q8-separator
def join(source, target, sep_id, eos_id):
    text = np.concatenate([source, [sep_id], target, [eos_id]])
    inputs, targets = text[:-1], text[1:]
    return inputs, targets, np.isin(targets, [*target, eos_id])
