# right: pad_sequences of Keras fills up the rows behind

# %% q2-encode
def encode_texts(texts, ids):
    rows = [[ids.get(character, UNK_ID) for character in text] for text in texts]
    numbers = keras.utils.pad_sequences(rows, padding="post", value=PAD_ID)
    return numbers, numbers != PAD_ID
