# wrong: the nats are multiplied with log 2, not divided by it
# loses: q6-bits-test
# says: It is multiplied by ln 2

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    nats = -np.sum(log_probabilities * mask) / np.sum(mask)
    return nats * np.log(2)
