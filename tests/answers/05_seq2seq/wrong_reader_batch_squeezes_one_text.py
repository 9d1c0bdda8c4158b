# wrong: `squeeze` only tidies up the arrays (breaks: "returns ids (batch, longest)": one text alone, or texts of one character, lose an axis)
# loses: q2-encode-test
# says: with one text: ids should have the shape

# %% q2-encode
def encode_texts(texts, ids):
    longest = max(len(t) for t in texts)
    rows, real = [], []
    for t in texts:
        numbers = [ids[c] if c in ids else UNK_ID for c in t]
        rows.append(numbers + [PAD_ID] * (longest - len(t)))
        real.append([True] * len(t) + [False] * (longest - len(t)))
    return np.array(rows).squeeze(), np.array(real).squeeze()
