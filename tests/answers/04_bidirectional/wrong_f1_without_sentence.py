# wrong: the entities of all sentences go into one set, so that those of different sentences meet
# loses: q14-f1-test
# says: Entities of different sentences meet
# %% q14-f1
def entity_f1(predicted, gold):
    ours = set().union(*(spans_of(tags) for tags in predicted))
    theirs = set().union(*(spans_of(tags) for tags in gold))
    return 2 * len(ours & theirs) / max(len(ours) + len(theirs), 1)
