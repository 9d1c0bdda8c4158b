# wrong: a long word is cut to so many letters, and then turned into bytes, of which there can be more
# loses: q1-characters-test
# says: cut to length - 2 letters

# %% q1-characters
def word_characters(word, length):
    word = word[: length - 2]
    ids = [259] + [byte + 1 for byte in word.encode("utf-8")] + [260]
    while len(ids) < length:
        ids.append(261)
    return ids
