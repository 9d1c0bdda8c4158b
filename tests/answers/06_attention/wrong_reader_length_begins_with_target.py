# wrong: a prediction is right when it begins with the target, "what follows is cut off anyway"; it breaks "how often a prediction is *exactly* right" for a prediction that goes on after the target
# loses: q12-length-test
# says: begins with the target and goes on

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    accuracies = []
    for low, high in zip(edges[:-1], edges[1:]):
        right = [
            all(a == b for a, b in zip(target, prediction)) and len(prediction) >= len(target)
            for prediction, target in zip(predictions, targets)
            if low <= len(target) < high
        ]
        accuracies.append(float(np.mean(right)))
    return accuracies
