# wrong: the corner of the grid is counted twice
# loses: q13-chain-test
# says: It is one too long
# %% q13-chain
def longest_chain(time, layers, recurrent):
    return time + layers if recurrent else layers
