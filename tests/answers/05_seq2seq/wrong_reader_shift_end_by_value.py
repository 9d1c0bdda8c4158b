# wrong: the place of the last symbol can be found with `list.index` (breaks: "once with the end token behind": when the last symbol stands in the row before, as in [7, 8, 7], the end comes after the first one)
# loses: q3-shift-test
# says: looked up by its value

# %% q3-shift
def shift_targets(targets, mask):
    targets, mask = np.asarray(targets), np.asarray(mask)
    previous, following = [], []
    for row, real in zip(targets.tolist(), mask):
        last = row[int(real.sum()) - 1]
        place = row.index(last) + 1
        after = row + [PAD_ID]
        after[place] = EOS_ID
        previous.append([BOS_ID] + row)
        following.append(after)
    return np.array(previous), np.array(following)
