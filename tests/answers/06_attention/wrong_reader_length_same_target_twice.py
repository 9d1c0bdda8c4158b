# wrong: the predictions are put into a dictionary by target, so a target that stands twice in the list is counted once, with its last prediction; it breaks "measure how often a prediction is exactly right"
# loses: q12-length-test
# says: A target that stands in the list more than once

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    read = dict(zip(targets, predictions))
    accuracies = []
    for low, high in zip(edges[:-1], edges[1:]):
        right = [prediction == target for target, prediction in read.items() if low <= len(target) < high]
        accuracies.append(sum(right) / len(right))
    return accuracies
