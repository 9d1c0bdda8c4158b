# wrong: instead of lowering the padding by 10^9 the real scores are lifted by 10^9; in float32, the type of the model's scores, they are all rounded to the same number and get the same weight (in float64 it goes unseen); it breaks alpha_j = m_j exp(e_j) / sum_k m_k exp(e_k)
# loses: q5-softmax-test
# says: A large number is added to the real scores

# %% q5-softmax
def masked_softmax(scores, mask):
    scores = ops.convert_to_tensor(scores)
    return ops.softmax(scores + 1e9 * ops.cast(mask, scores.dtype), axis=-1)
