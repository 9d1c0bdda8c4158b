# wrong: layers and steps are thought to run beside each other, so the longer of the two counts
# loses: q13-chain-test
# says: The longer side of the grid is counted

# %% q13-chain
def longest_chain(time, layers, recurrent):
    return max(time, layers) if recurrent else layers
