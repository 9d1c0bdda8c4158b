# wrong: an entity is kept when the next one or an O comes; the one at the end is lost
# loses: q13-spans-test
# says: An entity at the end of the sentence is lost
# %% q13-spans
def entity_spans(tags):
    spans, kind, start = [], None, None
    for i, tag in enumerate(tags):
        if kind is not None and not (tag == "I-" + kind):
            spans.append((kind, start, i))
            kind = None
        if kind is None and tag != "O":
            kind, start = tag[2:], i
    return spans
