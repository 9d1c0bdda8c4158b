# wrong: ord of each letter in place of the bytes
# loses: q1-characters-test
# says: not of bytes
# %% q1-characters
def word_characters(word, length):
    inner = [ord(letter) + 1 for letter in word][: length - 2]
    marked = [259] + inner + [260]
    return marked + [261] * (length - len(marked))
