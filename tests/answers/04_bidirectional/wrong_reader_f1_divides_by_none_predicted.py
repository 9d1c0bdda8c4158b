# wrong: precision and recall can always be divided
# loses: q14-f1-test
# says: division by zero

# %% q14-f1
def entity_f1(predicted, gold):
    right = sum(len(spans_of(p) & spans_of(g)) for p, g in zip(predicted, gold))
    number_predicted = sum(len(spans_of(p)) for p in predicted)
    number_gold = sum(len(spans_of(g)) for g in gold)
    if number_predicted + number_gold == 0:
        return 0.0
    precision, recall = right / number_predicted, right / number_gold
    return 2 * precision * recall / (precision + recall) if right else 0.0
