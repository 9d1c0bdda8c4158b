# wrong: each window is read from the first state
# loses: q5-read-test
# says: state is not carried
# %% q5-read
def read_text(run, first_state, window_list):
    found = []
    for inputs, targets in window_list:
        logits, _ = run(inputs, first_state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
