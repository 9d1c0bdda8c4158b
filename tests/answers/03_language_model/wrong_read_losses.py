# wrong: losses in place of log probabilities
# loses: q5-read-test
# says: These are losses
# %% q5-read
def read_text(run, first_state, window_list):
    state, found = first_state, []
    for inputs, targets in window_list:
        logits, state = run(inputs, state)
        found.append(ops.sparse_categorical_crossentropy(targets, logits, from_logits=True))
    return ops.concatenate(found, axis=1)
