# wrong: the numbers are Unicode's numbers of the letters (ord), not the bytes of UTF-8
# loses: q1-characters-test
# says: UTF-8

# %% q1-characters
def word_characters(word, length):
    letters = [ord(letter) + 1 for letter in word][: length - 2]
    ids = [259, *letters, 260]
    return ids + [261] * (length - len(ids))
