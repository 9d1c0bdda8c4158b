# wrong: blanks at the ends of a text do not belong to it, as when one reads lines of a file (breaks: "Give an id to each character that stands in some texts"; a blank or a line end that stands only at an end gets no id)
# loses: q1-vocabulary-test
# says: Blanks and line ends at the ends

# %% q1-vocabulary
def build_vocabulary(texts):
    characters = set()
    for line in texts:
        characters.update(line.strip())
    return {c: i for i, c in enumerate(sorted(characters), start=EOS_ID + 1)}
