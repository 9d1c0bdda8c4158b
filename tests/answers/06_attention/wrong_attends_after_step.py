# wrong: the attention is asked a second time after the GRU, with the new state s_i in place of s_{i-1}; output and weights come from there
# loses: q7-step-test
# says: after the step

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    embedded = ops.take(params["embedding"], previous, axis=0)
    context, _ = attend(state, keys, mask, params)
    new_state = gru(ops.concatenate([embedded, context], axis=-1), state, params)
    context, weights = attend(new_state, keys, mask, params)
    logits = ops.matmul(ops.concatenate([new_state, context], axis=-1), params["output"])
    return logits + params["output_bias"], new_state, weights
