# wrong: rows.index(row) gives the number of a sentence
# loses: q14-f1-test
# says: Two sentences with the same tags get the same number

# %% q14-f1
def entity_f1(predicted, gold):
    said = {(predicted.index(row), *span) for row in predicted for span in spans_of(row)}
    true = {(gold.index(row), *span) for row in gold for span in spans_of(row)}
    total = len(said) + len(true)
    return 2 * len(said & true) / total if total else 0.0
