# wrong: a kind has three letters, as PER, LOC and ORG
# loses: q13-spans-test
# says: A kind need not have three letters

# %% q13-spans
def entity_spans(tags):
    found, kind, start = [], None, None
    for place, tag in enumerate([*tags, "O"]):
        if kind is not None and not (tag[0] == "I" and tag[-3:] == kind):
            found.append((kind, start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[-3:], place
    return found
