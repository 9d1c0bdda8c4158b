# wrong: the kernels are turned, the bias is forgotten
# loses: q9-update-test
# says: The bias is as it was
# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    units = recurrent_kernel.shape[0]
    kernel, recurrent_kernel = np.array(kernel), np.array(recurrent_kernel)
    kernel[:, :units] *= -1
    recurrent_kernel[:, :units] *= -1
    return kernel, recurrent_kernel, bias
