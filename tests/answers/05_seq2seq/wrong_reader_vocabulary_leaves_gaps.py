# wrong: each time a character stands in the texts takes a number, so a repeated one leaves a gap
# loses: q1-vocabulary-test
# says: Use each symbol once

# %% q1-vocabulary
def build_vocabulary(texts):
    return {character: number for number, character in enumerate(sorted("".join(texts)), 4)}
