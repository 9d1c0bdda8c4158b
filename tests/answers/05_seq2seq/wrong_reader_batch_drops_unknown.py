# wrong: a character that is not in the dictionary is left out, as with out-of-vocabulary words in a bag of words
# loses: q2-encode-test
# says: left out

# %% q2-encode
def encode_texts(texts, ids):
    rows = [[ids[character] for character in text if character in ids] for text in texts]
    longest = max(len(row) for row in rows)
    numbers = np.array([row + [PAD_ID] * (longest - len(row)) for row in rows])
    return numbers, numbers != PAD_ID
