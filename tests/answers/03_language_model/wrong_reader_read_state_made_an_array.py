# wrong: the state should be a NumPy array before it goes into the next window
# loses: q5-read-test
# says: The state that was passed is not one that the model gave

# %% q5-read
def read_text(run, first_state, window_list):
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        state = np.asarray(state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, np.asarray(targets)[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
