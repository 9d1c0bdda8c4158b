# wrong: the mean over the positions in place of the states at the ends
# loses: q6-final-test
# says: This is the mean over the positions
# %% q6-final
def final_states(outputs, mask):
    weights = mask[:, :, None].astype("float32")
    return (outputs * weights).sum(axis=1) / weights.sum(axis=1)
