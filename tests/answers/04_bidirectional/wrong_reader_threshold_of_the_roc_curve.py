# wrong: the best threshold is where the share of found paraphrases is farthest above the share of false alarms
# loses: q10-threshold-test

# %% q10-threshold
def best_threshold(similarities, labels):
    similarities, labels = np.asarray(similarities), np.asarray(labels) == 1
    candidates = [*similarities, similarities.max() + 1]
    yes, no = max(labels.sum(), 1), max((~labels).sum(), 1)

    def distance(threshold):
        called = similarities >= threshold
        return np.sum(called & labels) / yes - np.sum(called & ~labels) / no

    return max(candidates, key=distance)
