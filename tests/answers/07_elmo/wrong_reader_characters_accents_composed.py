# wrong: Unicode texts are normalized (NFC) before they are encoded, so a word with a combining accent gets the bytes of another string (breaks 'then the bytes of the word in UTF-8')
# loses: q1-characters-test
# says: exchanged for others that look the same

# %% q1-characters
import unicodedata


def word_characters(word, length):
    data = unicodedata.normalize("NFC", word).encode("utf-8")[: length - 2]
    row = [259, *(byte + 1 for byte in data), 260]
    row += [261] * (length - len(row))
    return np.array(row)
