# wrong: h goes on to the next step, c begins with zeros at each
# loses: q6-run-test
# says: The memory c is not passed on
# %% q6-run
def run_lstm(inputs, weights):
    kernel, recurrent_kernel, bias = weights
    c = ops.zeros((inputs.shape[0], recurrent_kernel.shape[0]))
    h = c
    hs = []
    for t in range(inputs.shape[1]):
        h, c_next = given_lstm_step(inputs[:, t], h, c, kernel, recurrent_kernel, bias)
        hs.append(h)
    return ops.stack(hs, axis=1)
