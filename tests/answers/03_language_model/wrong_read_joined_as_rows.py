# wrong: the windows are joined along the batch
# loses: q5-read-test
# says: joined along time
# %% q5-read
def read_text(run, first_state, window_list):
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        logs = np.asarray(ops.log_softmax(logits, axis=-1))
        found.append(np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0])
    return np.concatenate(found)
