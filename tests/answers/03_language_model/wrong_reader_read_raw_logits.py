# wrong: the logits of the targets are returned; the softmax is forgotten
# loses: q5-read-test
# says: the log softmax is missing

# %% q5-read
def read_text(run, first_state, window_list):
    state = first_state
    found = []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        found.append(np.take_along_axis(np.asarray(logits), np.asarray(targets)[..., None], axis=-1)[..., 0])
    return np.concatenate(found, axis=1)
