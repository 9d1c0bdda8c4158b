# wrong: the mask is True for padding, as PyTorch's padding masks are
# loses: q2-encode-test
# says: True stands for a real symbol
# %% q2-encode
def encode_texts(texts, ids):
    longest = max(len(string) for string in texts)
    rows = np.zeros((len(texts), longest), dtype=int)
    for i, string in enumerate(texts):
        for t, c in enumerate(string):
            rows[i, t] = ids.get(c, UNK_ID)
    return rows, rows == PAD_ID
