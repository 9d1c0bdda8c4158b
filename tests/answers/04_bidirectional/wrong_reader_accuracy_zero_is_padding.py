# wrong: the tag 0 is padding
# loses: q12-accuracy-test
# says: The tag 0 is taken for padding

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    predicted, gold = np.asarray(predicted), np.asarray(gold)
    return np.mean((predicted == gold)[gold != 0])
