# right: short and vectorised; NumPy where it can be; the weights of all layers copied at once
# %% q1-characters
def word_characters(word, length):
    marked = [259] + [b + 1 for b in word.encode("utf-8")[: length - 2]] + [260]
    return np.pad(marked, (0, length - len(marked)), constant_values=261)


# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    pair = mask[:, 1:] & mask[:, :-1]
    count = pair.sum()
    sides = (forward_logits[:, :-1], ids[:, 1:]), (backward_logits[:, 1:], ids[:, :-1])
    return [
        float(ops.sum(ops.sparse_categorical_crossentropy(t, logits, from_logits=True) * pair)) / count
        for logits, t in sides
    ]


# %% q3-representations
def representations(tokens, forward, backward):
    ahead = np.concatenate([tokens[None], forward])
    back = np.concatenate([tokens[None], np.flip(backward, axis=1)])
    return np.concatenate([ahead, back], axis=2)


# %% q4-mix
def scalar_mix(layers, w, gamma):
    return gamma * ops.sum(ops.reshape(ops.softmax(w), (1, -1, 1, 1)) * layers, axis=1)


# %% q5-penalty
def mix_penalty(w, strength):
    return strength * ops.sum(w * w)


# %% q6-batch
def padded_layers(vectors):
    lengths = [v.shape[1] for v in vectors]
    batch = np.zeros((len(vectors), vectors[0].shape[0], max(lengths), vectors[0].shape[2]), "float32")
    for b, v in enumerate(vectors):
        batch[b, :, : v.shape[1]] = v
    return batch, np.arange(max(lengths))[None] < np.array(lengths)[:, None]


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    def join(x, here):
        return ops.concatenate([x, elmo_vectors], -1) if here else x

    states = rnn(join(static, where in {"input", "both"}), mask)
    return to_logits(join(states, where in {"output", "both"}))


# %% q8-freeze
def freeze_bilm(model):
    model.bilm.trainable = False


# %% q9-nearest
def nearest(query, vectors, count):
    return (-(vectors @ query) / np.linalg.norm(vectors, axis=1)).argsort()[:count]


# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    labels, places = np.unique(meanings, return_inverse=True)
    sums = np.eye(len(labels))[places].T @ known  # the length of a mean does not matter
    return labels[(vectors @ (sums / np.linalg.norm(sums, axis=1, keepdims=True)).T).argmax(axis=1)]


# %% q12-start
def start_from(language_model, classifier):
    classifier.encoder.set_weights(
        language_model.embedding.get_weights()
        + [w for layer in language_model.recurrences for w in layer.get_weights()]
    )
