# wrong: an entity is complete where an O comes
# loses: q13-spans-test
# says: An entity is lost where another one follows

# %% q13-spans
def entity_spans(tags):
    found, kind, start = [], None, None
    for place, tag in enumerate([*tags, "O"]):
        if tag == "O":
            if kind is not None:
                found.append((kind, start, place))
            kind = None
        elif tag[0] == "B" or tag[2:] != kind:
            kind, start = tag[2:], place
    return found
