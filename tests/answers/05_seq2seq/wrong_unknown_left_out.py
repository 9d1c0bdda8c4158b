# wrong: a character that is not known is left out
# loses: q2-encode-test
# says: should become UNK_ID
# %% q2-encode
def encode_texts(texts, ids):
    rows = [[ids[c] for c in string if c in ids] for string in texts]
    longest = max(map(len, rows))
    padded = np.array([row + [PAD_ID] * (longest - len(row)) for row in rows])
    return padded, padded != PAD_ID
