# wrong: the middle between the mean similarities of both kinds
# loses: q10-threshold-test
# says: in the middle between the means
# %% q10-threshold
def best_threshold(similarities, labels):
    return (similarities[labels == 1].mean() + similarities[labels == 0].mean()) / 2
