# wrong: each I- goes on with the entity before it, whatever its kind
# loses: q13-spans-test
# says: An entity ends where the kind changes

# %% q13-spans
def entity_spans(tags):
    spans, kind, start = [], None, None
    for place, tag in enumerate([*tags, "O"]):
        if kind is not None and not tag.startswith("I-"):
            spans.append((kind, start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag.split("-")[1], place
    return spans
