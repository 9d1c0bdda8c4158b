# wrong: words of one kind in a row are one entity, so a B- right after an entity of its kind begins nothing
# loses: q13-spans-test
# says: B- begins a new one

# %% q13-spans
def entity_spans(tags):
    spans, kind, start = [], None, None
    for place, tag in enumerate([*tags, "O"]):
        new_kind = None if tag == "O" else tag.split("-")[1]
        if new_kind != kind:
            if kind is not None:
                spans.append((kind, start, place))
            kind, start = new_kind, place
    return spans
