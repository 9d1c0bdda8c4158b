# wrong: both states are taken at the last real word, where the backward direction has read one word
# loses: q6-final-test
# says: has read one symbol only; take it at the first position
# %% q6-final
def final_states(outputs, mask):
    return outputs[np.arange(len(outputs)), mask.sum(axis=1) - 1]
