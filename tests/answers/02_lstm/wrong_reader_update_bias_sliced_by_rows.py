# wrong: bias[:units] takes rows of the (2, 3 * units) bias, so that the biases of all blocks change their sign
# loses: q9-update-test
# says: The biases of all blocks have the other sign

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    kernel, recurrent_kernel, bias = np.array(kernel), np.array(recurrent_kernel), np.array(bias)
    units = len(recurrent_kernel)
    kernel[:, :units] *= -1
    recurrent_kernel[:, :units] *= -1
    bias[:units] *= -1
    return kernel, recurrent_kernel, bias
