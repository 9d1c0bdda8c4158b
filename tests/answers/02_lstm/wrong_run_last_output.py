# wrong: only the last h comes back, as from a layer without return_sequences
# loses: q6-run-test
# says: give those of all steps
# %% q6-run
def run_lstm(inputs, weights):
    h = c = np.zeros((inputs.shape[0], weights[1].shape[0]), "float32")
    for t in range(inputs.shape[1]):
        h, c = given_lstm_step(inputs[:, t], h, c, *weights)
    return h
