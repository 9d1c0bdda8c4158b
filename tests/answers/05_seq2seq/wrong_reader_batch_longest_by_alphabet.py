# wrong: `max(texts)` is the longest text; in fact it is the last one in the alphabet (breaks: "filled up on the right with `PAD_ID`, to the length of the longest"; longer texts are cut)
# loses: q2-encode-test
# says: the last text in the alphabet

# %% q2-encode
def encode_texts(texts, ids):
    longest = len(max(texts))
    rows = np.full((len(texts), longest), PAD_ID)
    mask = np.zeros((len(texts), longest), dtype=bool)
    for b, string in enumerate(texts):
        for j, character in enumerate(string[:longest]):
            rows[b, j] = ids.get(character, UNK_ID)
            mask[b, j] = True
    return rows, mask
