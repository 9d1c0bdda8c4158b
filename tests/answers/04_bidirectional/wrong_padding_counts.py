# wrong: padding counts as a word that is right
# loses: q12-accuracy-test
# says: Padding counts too
# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return np.mean(predicted == gold)
