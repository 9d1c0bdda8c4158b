# wrong: the end token is EOS_ID in all our models, so the argument is not needed (breaks: "two ids": the text is `source <SEP> target <EOS>` with the `eos_id` that is passed)
# loses: q8-separator-test
# says: should end with the eos_id that is passed

# %% q8-separator
def join(source, target, sep_id, eos_id):
    symbols = np.concatenate([source, [sep_id], target, [EOS_ID]]).astype("int64")
    mask = np.arange(len(symbols) - 1) >= len(source)
    return symbols[:-1], symbols[1:], mask
