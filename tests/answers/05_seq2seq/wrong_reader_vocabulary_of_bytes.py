# wrong: a character is one byte, which is right for digits and English letters (breaks: "Give an id to each character that stands in some texts"; an umlaut becomes two ids, and itself has none)
# loses: q1-vocabulary-test
# says: no character of the texts

# %% q1-vocabulary
def build_vocabulary(texts):
    symbols = set()
    for string in texts:
        symbols |= set(string.encode("utf-8"))
    return {chr(symbol): index for index, symbol in enumerate(sorted(symbols), EOS_ID + 1)}
