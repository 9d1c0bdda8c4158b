# wrong: an unknown symbol of the target cannot be learned and does not count (breaks: "Only the symbols of the target and EOS count in the loss": the mask is False at a symbol with the id 1)
# loses: q8-separator-test
# says: does not count in the loss; all its symbols do

# %% q8-separator
def join(source, target, sep_id, eos_id):
    symbols = np.concatenate([source, [sep_id], target, [eos_id]]).astype("int64")
    inputs, targets = symbols[:-1], symbols[1:]
    mask = np.zeros(len(inputs), dtype=bool)
    mask[len(source):] = True
    return inputs, targets, mask & (targets != UNK_ID)
