# wrong: without recurrence everything is thought to run at once
# loses: q13-chain-test
# says: a layer waits for the layer below
# %% q13-chain
def longest_chain(time, layers, recurrent):
    return time + layers - 1 if recurrent else 1
