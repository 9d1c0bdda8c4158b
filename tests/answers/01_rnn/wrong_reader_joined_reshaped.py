# wrong: stacks the weights and reshapes them to the asked shape instead of turning them (breaks "the matrix M, of shape (units, features + units), that gives the same network")
# loses: q2-joined-test
# says: reshape gives the right shape, but leaves the numbers in their order

# %% q2-joined
def joined_weights(W, U):
    """W (features, units), U (units, units); returns M (units, features + units)"""
    both = np.concatenate([W, U], axis=0)
    return both.reshape(U.shape[0], -1)
