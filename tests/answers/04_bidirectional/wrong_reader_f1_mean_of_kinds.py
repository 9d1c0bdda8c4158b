# wrong: the F1 is the mean of the F1 of each kind of entity
# loses: q14-f1-test
# says: This is the mean over the kinds

# %% q14-f1
def entity_f1(predicted, gold):
    said = {(n, *span) for n, row in enumerate(predicted) for span in spans_of(row)}
    true = {(n, *span) for n, row in enumerate(gold) for span in spans_of(row)}
    scores = []
    for kind in {each[1] for each in said | true}:
        here = [each for each in said if each[1] == kind], [each for each in true if each[1] == kind]
        right = len(set(here[0]) & set(here[1]))
        scores.append(2 * right / (len(here[0]) + len(here[1])))
    return sum(scores) / len(scores) if scores else 0.0
