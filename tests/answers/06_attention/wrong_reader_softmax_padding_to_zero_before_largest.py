# wrong: the scores are multiplied by the mask before the largest is looked for, so it is 0 where all real scores are negative
# loses: q5-softmax-test
# says: subtract the largest real score of the row first

# %% q5-softmax
def masked_softmax(scores, mask):
    scores, m = np.asarray(scores), np.asarray(mask, dtype="float32")
    largest = np.max(scores * m, axis=1, keepdims=True)
    e = np.exp(np.where(mask, scores - largest, -1e9))
    return e / np.sum(e, axis=1, keepdims=True)
