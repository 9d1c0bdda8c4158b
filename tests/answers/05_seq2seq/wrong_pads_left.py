# wrong: short texts are filled up on the left
# loses: q2-encode-test
# says: padding stands on the left
# %% q2-encode
def encode_texts(texts, ids):
    rows = [[ids.get(c, UNK_ID) for c in string] for string in texts]
    padded = keras.utils.pad_sequences(rows)  # its default is padding="pre"
    return padded, padded != PAD_ID
