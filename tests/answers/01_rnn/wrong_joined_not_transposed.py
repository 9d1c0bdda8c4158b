# wrong: the matrix for rows [x, h], not for columns
# loses: q2-joined-test
# says: for a column, M is the transposed
# %% q2-joined
def joined_weights(W, U):
    return np.concatenate([W, U], axis=0)
