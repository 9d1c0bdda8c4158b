# wrong: the log probability of the symbol that was read is taken, not that of the next one
# loses: q5-read-test
# says: These are the log probabilities of the inputs

# %% q5-read
def read_text(run, first_state, window_list):
    state = first_state
    found = []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, np.asarray(inputs)[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
