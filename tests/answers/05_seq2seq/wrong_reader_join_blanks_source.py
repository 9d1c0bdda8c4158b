# wrong: targets are emptied where the mask is False, as libraries do that have no mask of their own
# loses: q8-separator-test
# says: targets are emptied where the source stands

# %% q8-separator
def join(source, target, sep_id, eos_id):
    text = np.concatenate([source, [sep_id], target, [eos_id]])
    mask = np.arange(len(text) - 1) >= len(source)
    return text[:-1], np.where(mask, text[1:], PAD_ID), mask
