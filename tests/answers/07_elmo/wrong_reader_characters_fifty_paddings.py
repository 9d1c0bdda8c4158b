# wrong: no row is longer than 50, as in ELMo, so 50 paddings are always enough (breaks 'A row has always `length` ids': a short word with length 60 gets too few)
# loses: q1-characters-test
# says: The row ends too early

# %% q1-characters
def word_characters(word, length):
    row = [259] + [byte + 1 for byte in word.encode()][: length - 2] + [260]
    return (row + [261] * 50)[:length]
