# wrong: `state or first_state` begins with the first state
# loses: q5-read-test
# says: A state that is 0 is not passed on

# %% q5-read
def read_text(run, first_state, window_list):
    state, found = None, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state or first_state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, np.asarray(targets)[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
