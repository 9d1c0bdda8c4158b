# right: keras.ops throughout; an einsum for each sum; a new model whose weights are copied by hand
# %% q1-characters
def word_characters(word, length):
    inner = ops.convert_to_tensor(list(bytearray(word, "utf8"))[: length - 2] or [0], dtype="int32") + 1
    parts = [ops.array([259]), inner[: len(word.encode())], ops.array([260])]
    marked = ops.concatenate(parts)
    return ops.pad(marked, [[0, length - marked.shape[0]]], constant_values=261)


# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    words = forward_logits.shape[-1]
    chosen = ops.one_hot(ids, words)
    ahead, back = ops.log_softmax(forward_logits), ops.log_softmax(backward_logits)
    real = ops.cast(mask[:, 1:], "float32")
    count = ops.sum(real)
    forward = -ops.einsum("btw,btw,bt->", ahead[:, :-1], chosen[:, 1:], real) / count
    backward = -ops.einsum("btw,btw,bt->", back[:, 1:], chosen[:, :-1], real) / count
    return {"forward": forward, "backward": backward}


# %% q3-representations
def representations(tokens, forward, backward):
    doubled = ops.tile(ops.convert_to_tensor(tokens), (1, 2))
    above = ops.concatenate([forward, ops.flip(ops.convert_to_tensor(backward), axis=1)], axis=-1)
    return ops.concatenate([ops.expand_dims(doubled, 0), above], axis=0)


# %% q4-mix
def scalar_mix(layers, w, gamma):
    w = ops.convert_to_tensor(w)
    s = ops.exp(w - ops.logsumexp(w))
    return ops.multiply(gamma, ops.einsum("bjtu,j->btu", layers, s))


# %% q5-penalty
def mix_penalty(w, strength):
    return strength * ops.dot(w, w)


# %% q6-batch
def padded_layers(vectors):
    longest = max(int(each.shape[1]) for each in vectors)
    layers = ops.stack([ops.pad(each, [[0, 0], [0, longest - each.shape[1]], [0, 0]]) for each in vectors])
    mask = ops.stack([ops.arange(longest) < each.shape[1] for each in vectors])
    return {"layers": layers, "mask": mask}


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    at_input, at_output = {
        "none": (False, False),
        "input": (True, False),
        "output": (False, True),
        "both": (True, True),
    }[where]
    states = rnn(ops.append(static, elmo_vectors, axis=-1) if at_input else static, mask)
    return to_logits(ops.append(states, elmo_vectors, axis=-1) if at_output else states)


# %% q8-freeze
def freeze_bilm(model):
    for weight in model.bilm.trainable_weights:
        weight.trainable = False


# %% q9-nearest
def nearest(query, vectors, count):
    scores = ops.matmul(ops.normalize(vectors, axis=-1), ops.convert_to_tensor(query))
    return ops.top_k(scores, count)[1]


# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    labels = sorted(set(meanings.tolist()))
    means = ops.stack([ops.mean(known[meanings == label], axis=0) for label in labels])
    cosines = ops.einsum("ms,ls->ml", ops.normalize(vectors), ops.normalize(means))
    return [labels[int(place)] for place in ops.argmax(cosines, axis=-1)]


# %% q12-start
def start_from(language_model, classifier):
    parts = [("embedding", language_model.embedding)]
    classifier.encoder.embedding.embeddings.assign(parts[0][1].embeddings)
    for number, layer in enumerate(language_model.recurrences):
        for new, trained in zip(classifier.encoder.recurrences[number].variables, layer.variables):
            new.assign(ops.copy(trained))


# %% q13-tune
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=64, embedding=32, directions="forward"
)
judge.encoder.embedding.set_weights(language_model.embedding.get_weights())
judge.encoder.recurrences[0].set_weights(language_model.recurrences[0].get_weights())
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(judged_ids, judged_labels, batch_size=16, epochs=JUDGE_EPOCHS, verbose=0)
