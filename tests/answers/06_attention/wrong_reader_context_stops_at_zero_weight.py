# wrong: a weight of 0 means padding, so only the first (weights > 0).sum() positions are added up; a real position in front whose weight is exactly 0 shifts the count; it breaks c = sum over j of alpha_j h_j
# loses: q6-context-test
# says: a weight can be 0 at any position

# %% q6-context
def context_vector(weights, keys):
    weights, keys = np.asarray(weights), np.asarray(keys)
    rows = []
    for row, states in zip(weights, keys):
        length = int((row > 0).sum())
        rows.append(row[:length] @ states[:length])
    return np.stack(rows)
