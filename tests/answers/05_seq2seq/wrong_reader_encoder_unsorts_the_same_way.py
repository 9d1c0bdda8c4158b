# wrong: rows that were sorted by length come back with the same `[order]` (breaks: "the state after the last real symbol of each row": right only where the order is its own inverse, as for two rows)
# loses: q4-encoder-test
# says: result[order] = sorted_rows

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    inputs, mask = np.asarray(inputs), np.asarray(mask)
    lengths = mask.sum(axis=1)
    order = np.argsort(-lengths, kind="stable")
    x, n = inputs[order], lengths[order]
    h = np.zeros((len(x), np.shape(U)[0]))
    for j in range(n.max()):
        active = (n > j).sum()  # the first rows are the longest
        h[:active] = rnn_step(x[:active, j], h[:active], W, U, b)
    return h[order]
