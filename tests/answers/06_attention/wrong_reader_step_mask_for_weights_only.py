# wrong: the mask is for the map only: the weights that are returned leave padding out, the context does not; it breaks c_i, alpha_i = attend(s_{i-1}, h) with "padding must get the weight 0" (only for rows with padding)
# loses: q7-step-test
# says: The weights leave padding out, but the context does not

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    context, _ = attend(state, keys, np.ones(np.shape(keys)[:2], dtype=bool), params)
    _, weights = attend(state, keys, mask, params)
    symbol = ops.take(params["embedding"], previous, axis=0)
    new_state = gru(ops.concatenate([symbol, context], axis=-1), state, params)
    joined = ops.concatenate([new_state, context], axis=-1)
    return ops.matmul(joined, params["output"]) + params["output_bias"], new_state, weights
