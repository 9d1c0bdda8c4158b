# wrong: without a true positive (or a true negative) the model knows nothing
# loses: q7-mcc-test
# says: This gives 0 where there is no true positive

# %% q7-mcc
def matthews(predictions, labels):
    predictions, labels = np.asarray(predictions), np.asarray(labels)
    tp = int(np.sum((predictions == 1) & (labels == 1)))
    tn = int(np.sum((predictions == 0) & (labels == 0)))
    fp = int(np.sum((predictions == 1) & (labels == 0)))
    fn = int(np.sum((predictions == 0) & (labels == 1)))
    if tp == 0 or tn == 0:
        return 0.0
    return (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
