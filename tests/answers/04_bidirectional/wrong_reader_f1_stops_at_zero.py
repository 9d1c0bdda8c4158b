# wrong: precision and recall are divided without a look at 0, so a tagger that finds nothing gives an error
# loses: q14-f1-test
# says: ZeroDivisionError

# %% q14-f1
def entity_f1(predicted, gold):
    right = sum(len(spans_of(p) & spans_of(g)) for p, g in zip(predicted, gold))
    precision = right / sum(len(spans_of(p)) for p in predicted)
    recall = right / sum(len(spans_of(g)) for g in gold)
    return 2 * precision * recall / (precision + recall)
