# wrong: the context is the weighted sum of the decoder's state in place of the encoder's states (keys)
# loses: q7-step-test
# says: context
# says: decoder's state

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    embedded = ops.take(params["embedding"], previous, axis=0)
    _, weights = attend(state, keys, mask, params)
    # the weighted sum of the decoder's states: the weights of a row add up to 1
    context = ops.einsum("bs,bk->bk", weights, state)
    new_state = gru(ops.concatenate([embedded, context], axis=-1), state, params)
    logits = ops.matmul(ops.concatenate([new_state, context], axis=-1), params["output"])
    return logits + params["output_bias"], new_state, weights
