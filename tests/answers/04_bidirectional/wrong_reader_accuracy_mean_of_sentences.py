# wrong: the mean of the accuracies of the sentences, so a word of a short sentence counts more
# loses: q12-accuracy-test
# says: This is the mean of the sentences' accuracies

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    right = np.sum((predicted == gold) & mask, axis=1)
    return np.mean(right / np.sum(mask, axis=1))
