# wrong: divides by the number of words, and each sentence has one prediction fewer
# loses: q2-losses-test
# says: divided by the number of words

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    forward_logs = np.asarray(ops.log_softmax(forward_logits, axis=-1))
    backward_logs = np.asarray(ops.log_softmax(backward_logits, axis=-1))
    forward = np.take_along_axis(forward_logs[:, :-1], ids[:, 1:, None], axis=-1)[..., 0]
    backward = np.take_along_axis(backward_logs[:, 1:], ids[:, :-1, None], axis=-1)[..., 0]
    real = mask[:, 1:]
    words = np.sum(mask)
    return -np.sum(forward * real) / words, -np.sum(backward * real) / words
