# wrong: a list as default of an argument is new in each call
# loses: q5-read-test

# %% q5-read
def read_text(run, first_state, window_list, found=[]):
    state = first_state
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, np.asarray(targets)[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
