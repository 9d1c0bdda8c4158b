# wrong: the sentence is turned in the array that is read, so the second half copies the first
# loses: q1-reverse-test
# says: The second half repeats the first

# %% q1-reverse
def reverse_real(inputs, mask):
    result = inputs
    for row in range(len(inputs)):
        n = mask[row].sum()
        for t in range(n):
            result[row, t] = inputs[row, n - 1 - t]
    return result
