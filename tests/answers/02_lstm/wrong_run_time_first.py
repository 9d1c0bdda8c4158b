# wrong: the outputs are stacked on a new first axis, so time comes before the batch
# loses: q6-run-test
# says: Time comes before the batch
# %% q6-run
def run_lstm(inputs, weights):
    h = c = np.zeros((inputs.shape[0], weights[1].shape[0]), "float32")
    hs = []
    for t in range(inputs.shape[1]):
        h, c = given_lstm_step(inputs[:, t], h, c, *weights)
        hs.append(h)
    return np.array(hs)
