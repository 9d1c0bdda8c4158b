# wrong: the padding inside a word is 0, as for sentences
# loses: q1-characters-test
# says: padding is 0
# %% q1-characters
def word_characters(word, length):
    ids = np.zeros(length, dtype=int)
    inner = [byte + 1 for byte in word.encode()][: length - 2]
    ids[0] = 259
    ids[1 : 1 + len(inner)] = inner
    ids[1 + len(inner)] = 260
    return ids
