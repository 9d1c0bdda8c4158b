# wrong: `data[:-over]` cuts what is over; with over = 0 this cuts everything, so a word of exactly length - 2 bytes is lost (breaks 'Between the two marks there is room for `length - 2` bytes')
# loses: q1-characters-test
# says: A word that just fits is lost

# %% q1-characters
def word_characters(word, length):
    data = [byte + 1 for byte in word.encode()]
    over = len(data) - (length - 2)
    if over >= 0:
        data = data[:-over]
    row = [259, *data, 260]
    return row + [261] * (length - len(row))
