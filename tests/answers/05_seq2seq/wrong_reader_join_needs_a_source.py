# wrong: the targets are the source without its first symbol, then the rest (breaks: "each (n + m + 1,)": with an empty source, n = 0, nothing is left out, and the targets are one longer and not shifted)
# loses: q8-separator-test
# says: that is the separator

# %% q8-separator
def join(source, target, sep_id, eos_id):
    source, target = list(source), list(target)
    inputs = source + [sep_id] + target
    targets = source[1:] + [sep_id] + target + [eos_id]
    mask = [False] * len(source) + [True] * (len(target) + 1)
    return np.array(inputs, dtype=int), np.array(targets, dtype=int), np.array(mask)
