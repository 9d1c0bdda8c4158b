# wrong: the most frequent character comes first, as tokenisers of words often do it
# loses: q1-vocabulary-test
# says: most frequent symbols come first

# %% q1-vocabulary
from collections import Counter


def build_vocabulary(texts):
    counts = Counter()
    for text in texts:
        counts.update(text)
    return {character: 4 + k for k, (character, _) in enumerate(counts.most_common())}
