# wrong: an I- that follows no entity is left out
# loses: q13-spans-test
# says: begins an entity too
# %% q13-spans
def entity_spans(tags):
    spans, kind, start = [], None, None
    for i, tag in enumerate(tags + ["O"]):
        if kind is not None and tag != "I-" + kind:
            spans.append((kind, start, i))
            kind = None
        if tag.startswith("B-"):
            kind, start = tag[2:], i
    return spans
