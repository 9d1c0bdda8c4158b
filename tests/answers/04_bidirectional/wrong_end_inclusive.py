# wrong: the end is the last word of the entity, not the position after it
# loses: q13-spans-test
# says: The end should be the position after the last tag
# %% q13-spans
def entity_spans(tags):
    spans, kind, start = [], None, None
    for i, tag in enumerate(tags + ["O"]):
        if kind is not None and tag != "I-" + kind:
            spans.append((kind, start, i - 1))
            kind = None
        if kind is None and tag != "O":
            kind, start = tag[2:], i
    return spans
