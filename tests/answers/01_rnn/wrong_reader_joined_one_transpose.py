# wrong: W is transposed and U is not; U is square, so the shape is right
# loses: q2-joined-test
# says: W is transposed, U is not; for a column, both must be

# %% q2-joined
def joined_weights(W, U):
    return np.concatenate([np.transpose(W), U], axis=1)
