# wrong: the marks and the padding are raised by 1 too, as the bytes are
# loses: q1-characters-test
# says: The marks and the padding are raised by 1 as well

# %% q1-characters
def word_characters(word, length):
    ids = [259] + list(word.encode())[: length - 2] + [260]
    ids = ids + [261] * (length - len(ids))
    return np.array(ids) + 1
