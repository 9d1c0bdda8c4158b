# wrong: the bands hold predictions by their own length, not by the length of the target
# loses: q12-length-test
# says: made by the length of the prediction

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    accuracies = []
    for low, high in zip(edges, edges[1:]):
        band = [p == t for p, t in zip(predictions, targets) if low <= len(p) < high]
        accuracies.append(sum(band) / max(len(band), 1))
    return accuracies
