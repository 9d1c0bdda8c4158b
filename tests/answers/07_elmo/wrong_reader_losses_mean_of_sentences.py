# wrong: the mean of the sentences' mean losses, in which a short sentence counts as much as a long one
# loses: q2-losses-test
# says: means of sentences

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    forward_losses, backward_losses = [], []
    for f, b, row, real in zip(forward_logits, backward_logits, ids, mask):
        row = row[real]
        f = np.asarray(ops.log_softmax(f[real], axis=-1))
        b = np.asarray(ops.log_softmax(b[real], axis=-1))
        places = np.arange(len(row) - 1)
        forward_losses.append(-f[places, row[1:]].mean())
        backward_losses.append(-b[places + 1, row[:-1]].mean())
    return np.mean(forward_losses), np.mean(backward_losses)
