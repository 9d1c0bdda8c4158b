# wrong: the bytes keep their own numbers, so that the letter with byte 0 would be no word
# loses: q1-characters-test
# says: raised by 1
# %% q1-characters
def word_characters(word, length):
    inner = list(word.encode("utf-8"))[: length - 2]
    marked = [259] + inner + [260]
    return marked + [261] * (length - len(marked))
