# wrong: after the GRU it attends a second time, with the new state, and the logits get this new context
# loses: q7-step-test
# says: from a second look

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    y = ops.take(params["embedding"], previous, axis=0)
    new_state = gru(ops.concatenate([y, context], axis=1), state, params)
    context, _ = attend(new_state, keys, mask, params)
    logits = ops.matmul(ops.concatenate([new_state, context], axis=1), params["output"])
    return logits + params["output_bias"], new_state, weights
