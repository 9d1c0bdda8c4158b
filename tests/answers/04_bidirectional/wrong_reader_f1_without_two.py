# wrong: the 2 of the formula is forgotten, so that the best F1 is one half
# loses: q14-f1-test
# says: The 2 above the line is missing

# %% q14-f1
def entity_f1(predicted, gold):
    right = both = 0
    for p_tags, g_tags in zip(predicted, gold):
        p, g = spans_of(p_tags), spans_of(g_tags)
        right += len(p & g)
        both += len(p) + len(g)
    return right / both if both else 0.0
