# wrong: a list as default of an argument is new in each call
# loses: q13-spans-test
# says: made once, for all calls

# %% q13-spans
def entity_spans(tags, found=[]):
    kind, start = None, None
    for place, tag in enumerate([*tags, "O"]):
        if kind is not None and not (tag.startswith("I-") and tag[2:] == kind):
            found.append((kind, start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], place
    return found
