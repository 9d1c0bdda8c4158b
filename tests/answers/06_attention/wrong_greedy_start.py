# wrong: the start token goes into the step each time
# loses: q8-greedy-test
# says: Each step gets the start token

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    """Write one symbol at a time, each time the best.

    step: a function: scores, new_state = step(previous, state); previous: integers (batch,)
    state: the state before the first step
    returns: integers (batch, length), length <= max_length: the symbols of each sentence,
        its EOS_ID, then PAD_ID; the start token is not part of it
    """
    start = np.full(batch, BOS_ID)
    finished = np.zeros(batch, dtype=bool)
    written = []
    for _ in range(max_length):
        scores, state = step(start, state)
        symbols = np.argmax(np.asarray(scores), axis=-1)
        symbols = np.where(finished, PAD_ID, symbols)
        written.append(symbols)
        finished = finished | (symbols == EOS_ID)
        if finished.all():
            break
    return np.stack(written, axis=1)
