# wrong: the last column of the outputs, which is padding in short sentences
# loses: q6-final-test
# says: Both are taken from the last column
# %% q6-final
def final_states(outputs, mask):
    return outputs[:, -1]
