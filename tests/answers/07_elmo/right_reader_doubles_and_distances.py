# right: all in float64; ids out of a byte buffer; losses as a list of two; neighbours by the distance of unit vectors (the same order as by cosine), as a list; sums for means (a cosine does not see the length)

# %% q1-characters
def word_characters(word, length):
    row = np.full(length, 261)
    data = np.frombuffer(word.encode("utf-8"), dtype=np.uint8)[: length - 2].astype(np.int64)
    row[0] = 259
    row[1 : 1 + len(data)] = data + 1
    row[1 + len(data)] = 260
    return row

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    ids, mask = np.asarray(ids), np.asarray(mask).astype(bool)
    rows, later = np.nonzero(mask[:, 1:])  # the pairs of neighbours (later, later + 1) of real words
    losses = []
    for logits, read, wanted in ((forward_logits, 0, 1), (backward_logits, 1, 0)):
        chosen = np.asarray(logits)[rows, later + read].astype(np.float64)
        total = np.logaddexp.reduce(chosen, axis=-1)
        losses.append(np.mean(total - chosen[np.arange(len(rows)), ids[rows, later + wanted]]))
    return losses

# %% q3-representations
def representations(tokens, forward, backward):
    layers, time, size = np.shape(forward)
    result = np.empty((layers + 1, time, 2 * size), dtype=np.float64)
    result[0, :, :size] = result[0, :, size:] = tokens
    result[1:, :, :size] = forward
    result[1:, ::-1, size:] = backward
    return result

# %% q6-batch
def padded_layers(vectors):
    lengths = np.array([each.shape[1] for each in vectors])
    mask = np.arange(lengths.max()) < lengths[:, None]
    result = np.zeros((len(vectors), vectors[0].shape[0], lengths.max(), vectors[0].shape[2]))
    for row, each in zip(result, vectors):
        row[:, : each.shape[1]] = each
    return [result, mask]

# %% q9-nearest
def nearest(query, vectors, count):
    query = np.asarray(query, dtype=np.float64)
    vectors = np.asarray(vectors, dtype=np.float64)
    unit = query / np.linalg.norm(query)
    units = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return np.linalg.norm(units - unit, axis=1).argsort().tolist()[:count]

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    names, place = np.unique(np.asarray(meanings), return_inverse=True)
    sums = np.eye(len(names))[place.ravel()].T @ np.asarray(known, dtype=np.float64)
    sums /= np.sqrt((sums**2).sum(axis=1, keepdims=True))
    return names[(np.asarray(vectors, dtype=np.float64) @ sums.T).argmax(axis=1)]
