# wrong: the end of the sentence is marked in the list of tags itself
# loses: q13-spans-test
# says: had the length 5 before the call, and has 6 after it

# %% q13-spans
def entity_spans(tags):
    tags.append("O")
    found, kind, start = [], None, None
    for place, tag in enumerate(tags):
        if kind is not None and not (tag.startswith("I-") and tag[2:] == kind):
            found.append((kind, start, place))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], place
    return found
