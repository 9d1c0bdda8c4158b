# wrong: believes that without recurrence layers beyond the number of steps have nothing to wait for (breaks "layer l at step t waits for layer l - 1": the chain is as long as there are layers, also when there are fewer steps)
# loses: q13-chain-test
# says: also where there are more layers than steps

# %% q13-chain
def longest_chain(time, layers, recurrent):
    """time: the number of steps; layers: the number of layers; recurrent: True or False;
    returns the units of work in the longest chain"""
    if recurrent:
        return time + layers - 1
    return min(time, layers)
