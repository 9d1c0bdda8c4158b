# wrong: finished is found anew from the last symbols, so a sentence gets PAD_ID once after its end token and then writes on
# loses: q8-greedy-test
# says: gets PAD_ID for one step and then goes on

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    written = []
    for _ in range(max_length):
        finished = previous == EOS_ID
        scores, state = step(previous, state)
        previous = np.where(finished, PAD_ID, np.argmax(scores, axis=-1))
        written.append(previous)
        if np.all((previous == EOS_ID) | (previous == PAD_ID)):
            break
    return np.stack(written, axis=1)
