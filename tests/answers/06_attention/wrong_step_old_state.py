# wrong: the logits are made from the state before the step
# loses: q7-step-test
# says: the state before the step

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
    new_state = gru(ops.concatenate([vectors, context], axis=-1), state, params)
    logits = ops.matmul(ops.concatenate([state, context], axis=-1), params["output"])
    return logits + params["output_bias"], new_state, weights
