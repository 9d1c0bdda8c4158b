# wrong: the mask is True where the id belongs to a character of the dictionary, so unknown ones count as padding
# loses: q2-encode-test
# says: mask is False on unknown symbols

# %% q2-encode
def encode_texts(texts, ids):
    longest = max(map(len, texts))
    numbers = np.zeros((len(texts), longest), dtype=int)
    for row, text in enumerate(texts):
        numbers[row, : len(text)] = [ids.get(character, UNK_ID) for character in text]
    return numbers, numbers > EOS_ID
