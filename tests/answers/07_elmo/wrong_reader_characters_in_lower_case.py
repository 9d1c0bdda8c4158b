# wrong: a capital letter at the beginning of a sentence should not make another word, so the word is put in lower case first (breaks 'then the bytes of the word in UTF-8')
# loses: q1-characters-test
# says: written in small letters first

# %% q1-characters
def word_characters(word, length):
    data = [byte + 1 for byte in word.lower().encode()][: length - 2]
    row = [259, *data, 260]
    return row + [261] * (length - len(row))
