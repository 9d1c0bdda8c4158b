# wrong: no care for the case that all predictions are the same
# loses: q7-mcc-test
# says: this gives NaN; it should give 0
# %% q7-mcc
def matthews(predictions, labels):
    tp = np.sum((predictions == 1) & (labels == 1))
    tn = np.sum((predictions == 0) & (labels == 0))
    fp = np.sum((predictions == 1) & (labels == 0))
    fn = np.sum((predictions == 0) & (labels == 1))
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
