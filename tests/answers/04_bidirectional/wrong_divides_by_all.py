# wrong: the right words are divided by all positions, padding too
# loses: q12-accuracy-test
# says: divide by the number of real positions
# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return ((predicted == gold) * mask).mean()
