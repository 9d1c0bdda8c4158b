# wrong: np.digitize(...) - 1 is the band; a target shorter than the first edge has band -1, which is the last item of a list; it breaks "a target whose length is in no band is left out" (only at the lower end)
# loses: q12-length-test
# says: band -1 is the last item of a list

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    count, right = [0] * (len(edges) - 1), [0] * (len(edges) - 1)
    for prediction, target in zip(predictions, targets):
        band = int(np.digitize(len(target), edges)) - 1
        if band < len(count):
            count[band] += 1
            right[band] += prediction == target
    return [r / c for r, c in zip(right, count)]
