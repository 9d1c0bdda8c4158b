# wrong: the ready-made layers and functions do the work
# loses: q1-hard-test q2-soft-test q5-lstm-test q6-run-test q7-gru-test q10-count-test
# says: ready-made
# says: write it yourself
# %% q1-hard
hard_gate = layers.hard_gate


# %% q2-soft
def soft_gate(x, s, W, U, b):
    cell = layers.SoftGateCell(len(b))
    cell.build(x.shape)
    cell.set_weights([np.hstack([W, np.eye(len(b))]), U, np.hstack([b, 0 * b])])
    return cell(x, (s,))[0]


# %% q5-lstm
def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    cell = keras.layers.LSTMCell(h.shape[1])
    cell.build(x.shape)
    cell.set_weights([kernel, recurrent_kernel, bias])
    _, states = cell(x, [h, c])
    return states


# %% q6-run
def run_lstm(inputs, weights):
    layer = keras.layers.LSTM(weights[1].shape[0], return_sequences=True)
    layer.build(inputs.shape)
    layer.set_weights(weights)
    return layer(inputs)


# %% q7-gru
gru_step = layers.gru_step


# %% q10-count
def weights_count(kind, features, units):
    layer = {"Elman": keras.layers.SimpleRNN, "LSTM": keras.layers.LSTM, "GRU": keras.layers.GRU}[kind](units)
    layer.build((None, None, features))
    return layer.count_params()
