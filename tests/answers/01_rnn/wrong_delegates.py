# wrong: the ready-made layers and functions do the work
# loses: q1-step-test q4-keras-test q7-output-test q7-time-test q8-windows-test q12-clip-test
# says: ready-made
# says: write it yourself
# %% q1-step
def elman_step(x, h, W, U, b):
    cell = keras.layers.SimpleRNNCell(len(b))
    cell.build(x.shape)
    cell.set_weights([W, U, b])
    return cell(x, [h])[0]


# %% q4-keras
def simple_rnn(inputs, weights):
    layer = keras.layers.SimpleRNN(len(weights[2]), return_sequences=True)
    layer.build(inputs.shape)
    layer.set_weights(weights)
    return layer(inputs)


# %% q7-bptt
def bptt(inputs, labels, params, first):
    return autodiff(inputs, labels, params, first)[0]


# %% q8-windows
windows = models.windows


# %% q12-clip
def clip_by_global_norm(gradients, limit):
    return models.clip_by_global_norm(gradients, limit)[0]
