# wrong: against overflow the scores are cut to -80 ... 80, so 1,000 and 1,001 (or -1,000 and -1,001) get equal weights; it breaks alpha_j = m_j exp(e_j) / sum_k m_k exp(e_k) with "scores can be far from 0 (1,000 and more, or -1,000 and less)"
# loses: q5-softmax-test
# says: Scores far from 0 are cut off

# %% q5-softmax
def masked_softmax(scores, mask):
    exponentials = ops.exp(ops.clip(scores, -80.0, 80.0))
    exponentials = ops.where(mask, exponentials, ops.zeros_like(exponentials))
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
