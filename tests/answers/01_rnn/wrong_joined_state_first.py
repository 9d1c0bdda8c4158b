# wrong: the state stands above the input
# loses: q2-joined-test
# says: in [x; h] the input comes first
# %% q2-joined
def joined_weights(W, U):
    return np.hstack((U.T, W.T))
