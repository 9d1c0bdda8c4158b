# wrong: a word has two meanings, the smallest number and the largest; a third one in between is never found (breaks 'choose the meaning whose mean vector has the largest cosine', among all known ones)
# loses: q10-meaning-test
# says: Only the smallest and the largest meaning

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    meanings = np.asarray(meanings)
    one, other = meanings.min(), meanings.max()

    def cosine(meaning):
        mean = known[meanings == meaning].mean(axis=0)
        return vectors @ mean / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(mean))

    return np.where(cosine(one) >= cosine(other), one, other)
