# wrong: np.concatenate joins the same numbers; but no gradient passes to the mixture (breaks 'with `keras.ops` as in question 4', where 'the gradient must pass')
# loses: q7-placement-test
# says: No gradient

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    def join(a, b):
        return np.concatenate([np.asarray(a), np.asarray(b)], axis=-1)

    h = rnn(join(static, elmo_vectors) if where in ("input", "both") else static, mask)
    return to_logits(join(h, elmo_vectors) if where in ("output", "both") else h)
