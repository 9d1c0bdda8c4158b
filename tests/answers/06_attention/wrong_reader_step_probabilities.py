# wrong: a softmax over the vocabulary, so that probabilities come back instead of logits
# loses: q7-step-test
# says: These are probabilities

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    y = ops.take(params["embedding"], previous, axis=0)
    new_state = gru(ops.concatenate([y, context], axis=1), state, params)
    logits = ops.matmul(ops.concatenate([new_state, context], axis=1), params["output"])
    return ops.softmax(logits + params["output_bias"]), new_state, weights
