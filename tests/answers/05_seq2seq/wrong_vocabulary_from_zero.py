# wrong: the ids begin at 0, where padding should be
# loses: q1-vocabulary-test
# says: 0 to 3 are reserved
# %% q1-vocabulary
def build_vocabulary(texts):
    chars = sorted(list(set("".join(texts))))
    return dict((c, i) for i, c in enumerate(chars))
