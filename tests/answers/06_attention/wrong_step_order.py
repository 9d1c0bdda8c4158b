# wrong: the GRU gets [context; symbol] in place of [symbol; context]
# loses: q7-step-test
# says: joined in the wrong order

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    """One step of the decoder.

    previous: integers (batch,), the symbols written before
    state: (batch, units), the state before the step
    keys: (batch, source, key_units), mask: (batch, source)
    params: the dictionary described above
    returns: logits (batch, vocabulary), new_state (batch, units), weights (batch, source)
    """
    context, weights = attend(state, keys, mask, params)
    vectors = ops.take(params["embedding"], previous, axis=0)
    new_state = gru(ops.concatenate([context, vectors], axis=-1), state, params)
    logits = ops.matmul(ops.concatenate([new_state, context], axis=-1), params["output"])
    return logits + params["output_bias"], new_state, weights
