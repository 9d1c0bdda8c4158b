# wrong: the symbols stand in the order in which they come up
# loses: q1-vocabulary-test
# says: they should be sorted
# %% q1-vocabulary
def build_vocabulary(texts):
    char_to_id = {}
    for string in texts:
        for char in string:
            if char not in char_to_id:
                char_to_id[char] = len(char_to_id) + 4
    return char_to_id
