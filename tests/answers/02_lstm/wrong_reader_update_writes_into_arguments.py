# wrong: turns the signs in the arrays that it was given and returns these (breaks "returns the three new arrays" and "Do not change the arrays that you get")
# loses: q9-update-test
# says: writes into the kernel that it gets

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    """Weights of a GRU whose z lets the candidate in, for one whose z keeps the old state."""
    units = recurrent_kernel.shape[0]
    for array in (kernel, recurrent_kernel, bias):
        array[:, :units] *= -1
    return kernel, recurrent_kernel, bias
