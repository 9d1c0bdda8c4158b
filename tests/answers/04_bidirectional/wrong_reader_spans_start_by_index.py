# wrong: tags.index(tag) says where the entity starts
# loses: q13-spans-test
# says: tags.index(tag) finds no other

# %% q13-spans
def entity_spans(tags):
    tags = [*tags, "O"]
    found, kind, start = [], None, None
    for place, tag in enumerate(tags):
        if kind is not None and not (tag.startswith("I-") and tag[2:] == kind):
            found.append((kind, start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], tags.index(tag)
    return found
