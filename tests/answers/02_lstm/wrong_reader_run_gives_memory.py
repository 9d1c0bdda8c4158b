# wrong: the memory c of each step is returned, not its h
# loses: q6-run-test
# says: These are the memories c

# %% q6-run
def run_lstm(inputs, weights):
    units = weights[1].shape[0]
    h = np.zeros((inputs.shape[0], units), "float32")
    c = np.zeros((inputs.shape[0], units), "float32")
    outputs = []
    for t in range(inputs.shape[1]):
        h, c = given_lstm_step(inputs[:, t], h, c, *weights)
        outputs.append(c)
    return ops.stack(outputs, axis=1)
