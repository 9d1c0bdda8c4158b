# wrong: PAD_ID is no symbol, so its vector is set to zero; it breaks "y_{i-1} is the vector (embedding) of the previous symbol", row 0 of params["embedding"] where previous is 0
# loses: q7-step-test
# says: The padding symbol has a vector of zeros

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, weights = attend(state, keys, mask, params)
    symbol = ops.take(params["embedding"], previous, axis=0)
    real = ops.cast(ops.not_equal(previous, PAD_ID), symbol.dtype)
    symbol = symbol * real[:, None]
    new_state = gru(ops.concatenate([symbol, context], axis=-1), state, params)
    joined = ops.concatenate([new_state, context], axis=-1)
    return ops.matmul(joined, params["output"]) + params["output_bias"], new_state, weights
