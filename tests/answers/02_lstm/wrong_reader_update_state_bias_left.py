# wrong: turns the sign in b but forgets b', the second row (breaks "Change them so that Keras's GRU (the first form) computes the same": both biases stand inside the sigma of z)
# loses: q9-update-test
# says: The bias has two rows; both need the other sign

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    """Weights of a GRU whose z lets the candidate in, for one whose z keeps the old state."""
    units = recurrent_kernel.shape[0]
    kernel, recurrent_kernel, bias = np.array(kernel), np.array(recurrent_kernel), np.array(bias)
    kernel[:, :units] *= -1
    recurrent_kernel[:, :units] *= -1
    bias[0, :units] *= -1
    return kernel, recurrent_kernel, bias
