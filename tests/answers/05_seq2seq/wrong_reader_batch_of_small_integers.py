# wrong: a character fits into one byte, so uint8 is enough for its id (breaks: "ids: a dictionary from characters to ids": with more than 252 characters the id 256 becomes 0, the padding)
# loses: q2-encode-test
# says: too few bits

# %% q2-encode
def encode_texts(texts, ids):
    lengths = np.array([len(t) for t in texts])
    mask = np.arange(lengths.max())[None, :] < lengths[:, None]
    numbers = np.array([ids.get(c, UNK_ID) for t in texts for c in t])
    result = np.full(mask.shape, PAD_ID, dtype="uint8")
    result[mask] = numbers
    return result, mask
