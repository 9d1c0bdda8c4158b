# wrong: 1 - z is taken of the weights, not of the gate
# loses: q9-update-test
# says: It is the gate that should become 1 - z, not its weights
# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    kernel, recurrent_kernel, bias = np.array(kernel), np.array(recurrent_kernel), np.array(bias)
    units = recurrent_kernel.shape[0]
    for array in (kernel, recurrent_kernel, bias):
        array[:, :units] = 1 - array[:, :units]
    return kernel, recurrent_kernel, bias
