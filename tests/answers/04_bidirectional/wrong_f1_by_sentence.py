# wrong: the mean of the F1 of each sentence
# loses: q14-f1-test
# says: This is the mean of the sentences' F1
# %% q14-f1
def entity_f1(predicted, gold):
    scores = []
    for ours, theirs in zip(predicted, gold):
        ours, theirs = spans_of(ours), spans_of(theirs)
        total = len(ours) + len(theirs)
        scores.append(2 * len(ours & theirs) / total if total else 0.0)
    return np.mean(scores)
