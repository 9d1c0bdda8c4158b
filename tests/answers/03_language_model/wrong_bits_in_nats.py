# wrong: the cross-entropy in nats
# loses: q6-bits-test
# says: This is in nats
# %% q6-bits
def bits_per_character(log_probabilities, mask):
    return -np.mean(log_probabilities[mask])
