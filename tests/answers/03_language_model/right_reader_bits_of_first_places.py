# right: padding stands at the end, so the first places of each row are the real ones

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    lengths = np.asarray(mask).sum(axis=1)
    real = np.concatenate([row[:length] for row, length in zip(np.asarray(log_probabilities), lengths)])
    return -real.mean() / np.log(2)
