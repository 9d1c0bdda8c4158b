# right: plain Python, one thing at a time; ids, neighbours and meanings are lists of Python integers, the losses are Python numbers

# %% q1-characters
def word_characters(word, length):
    row = [259]
    for byte in bytes(word, "utf8"):
        if len(row) == length - 1:
            break
        row.append(byte + 1)
    row.append(260)
    while len(row) < length:
        row.append(261)
    return row

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    forward_logits, backward_logits = np.asarray(forward_logits), np.asarray(backward_logits)
    ahead, back = [], []
    for row, (words, real) in enumerate(zip(np.asarray(ids), np.asarray(mask))):
        for k in range(1, len(words)):
            if real[k]:
                for losses, logits, word in (
                    (ahead, forward_logits[row, k - 1], words[k]),
                    (back, backward_logits[row, k], words[k - 1]),
                ):
                    top = logits.max()
                    losses.append(float(np.log(np.exp(logits - top).sum()) + top - logits[word]))
    return sum(ahead) / len(ahead), sum(back) / len(back)

# %% q4-mix
def scalar_mix(layers, w, gamma):
    w = ops.convert_to_tensor(w)
    e = ops.exp(w - ops.max(w))
    mixed = 0.0
    for j in range(layers.shape[1]):
        mixed = mixed + ops.multiply(e[j], layers[:, j])
    return gamma / ops.sum(e) * mixed

# %% q9-nearest
def nearest(query, vectors, count):
    def cosine(row):
        return np.dot(query, vectors[row]) / np.linalg.norm(query) / np.linalg.norm(vectors[row])

    return sorted(range(len(vectors)), key=cosine, reverse=True)[:count]

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    groups = {}
    for vector, meaning in zip(known, meanings):
        groups.setdefault(int(meaning), []).append(vector)
    means = {meaning: np.mean(group, axis=0) for meaning, group in groups.items()}

    def cosine(u, v):
        return u @ v / (np.linalg.norm(u) * np.linalg.norm(v))

    return [max(means, key=lambda meaning: cosine(vector, means[meaning])) for vector in vectors]
