# wrong: the ready-made functions and layers of the package do the work
# loses: q1-characters-test q4-mix-test q6-batch-test q7-placement-test q9-nearest-test q10-meaning-test
# says: ready-made
# says: write it yourself
# %% q1-characters
word_characters = elmo.word_ids


# %% q4-mix
def scalar_mix(layers, w, gamma):
    mix = elmo.ScalarMix(layers.shape[1])
    mix.set_weights([w, gamma])
    return mix(layers)


# %% q6-batch
def padded_layers(vectors):
    static = elmo.StaticVectors(["a"], np.zeros((1, 1)))
    _, mask = static.vectors([["a"] * each.shape[1] for each in vectors])
    longest = mask.shape[1]
    rows = [np.pad(each, ((0, 0), (0, longest - each.shape[1]), (0, 0))) for each in vectors]
    return np.stack(rows), mask


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    inputs = elmo.joined(static, elmo_vectors) if where in ("input", "both") else static
    states = rnn(inputs, mask)
    return to_logits(elmo.joined(states, elmo_vectors) if where in ("output", "both") else states)


# %% q9-nearest
def nearest(query, vectors, count):
    return np.argsort(-np.asarray(models.cosine_similarity(query, vectors)))[:count]


# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    labels = np.unique(meanings)
    means = np.stack([known[meanings == label].mean(axis=0) for label in labels])
    return labels[np.asarray(models.cosine_similarity(vectors[:, None], means)).argmax(axis=1)]
