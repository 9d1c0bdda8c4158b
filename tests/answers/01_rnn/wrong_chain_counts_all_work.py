# wrong: the number of boxes in the grid
# loses: q13-chain-test
# says: This is all the work there is
# %% q13-chain
def longest_chain(time, layers, recurrent):
    return time * layers if recurrent else layers
