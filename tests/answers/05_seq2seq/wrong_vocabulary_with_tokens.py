# wrong: the reserved tokens stand in the dictionary too
# loses: q1-vocabulary-test
# says: no character of the texts
# %% q1-vocabulary
def build_vocabulary(texts):
    tokens = ["<pad>", "<unk>", "<bos>", "<eos>"] + sorted(set("".join(texts)))
    return {token: i for i, token in enumerate(tokens)}
