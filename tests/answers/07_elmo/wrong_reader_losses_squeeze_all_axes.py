# wrong: squeeze() takes away only the last axis of the log probabilities; with sentences of two words it takes the time axis too, and (batch,) * (batch, 1) makes a square (breaks 'Each sum runs over all words of all sentences that have a word to predict', each once)
# loses: q2-losses-test
# says: squeeze takes the axis of the words away

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    ids, mask = np.asarray(ids), np.asarray(mask)
    forward_logs = np.asarray(ops.log_softmax(forward_logits, axis=-1))[:, :-1]
    backward_logs = np.asarray(ops.log_softmax(backward_logits, axis=-1))[:, 1:]
    counted = mask[:, 1:].astype("float32")
    forward = np.take_along_axis(forward_logs, ids[:, 1:, None], axis=-1).squeeze()
    backward = np.take_along_axis(backward_logs, ids[:, :-1, None], axis=-1).squeeze()
    n = counted.sum()
    return -float((forward * counted).sum() / n), -float((backward * counted).sum() / n)
