# wrong: a long word is cut after the marks were put round it
# loses: q1-characters-test
# says: loses its end mark
# %% q1-characters
def word_characters(word, length):
    ids = [259] + [byte + 1 for byte in word.encode("utf-8")] + [260]
    ids += [261] * (length - len(ids))
    return ids[:length]
