# wrong: the bands are made by the length of the prediction, not of the target
# loses: q12-length-test
# says: length of the prediction

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    """predictions, targets: lists of strings; edges: rising whole numbers;
    returns a list of len(edges) - 1 accuracies, one for each band of target lengths"""
    accuracies = []
    for low, high in zip(edges[:-1], edges[1:]):
        right = [p == t for p, t in zip(predictions, targets) if low <= len(p) < high]
        accuracies.append(sum(right) / len(right) if right else 0.0)
    return accuracies
