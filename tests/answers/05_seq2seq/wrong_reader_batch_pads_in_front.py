# wrong: pad_sequences puts the padding in front, because nobody told it otherwise
# loses: q2-encode-test
# says: padding stands on the left

# %% q2-encode
def encode_texts(texts, ids):
    rows = [[ids.get(character, UNK_ID) for character in text] for text in texts]
    numbers = keras.utils.pad_sequences(rows)
    return numbers, numbers != PAD_ID
