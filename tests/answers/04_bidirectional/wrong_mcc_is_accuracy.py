# wrong: the accuracy
# loses: q7-mcc-test
# says: This is the accuracy
# %% q7-mcc
def matthews(predictions, labels):
    return (predictions == labels).mean()
