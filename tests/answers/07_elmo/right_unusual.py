# right: classes and closures; recursion; sorting by hand; dropout while fine-tuning
# %% q1-characters
def word_characters(word, length):
    def filled(ids):
        return ids if len(ids) == length else filled([*ids, 261])

    return tuple(filled([259, *(1 + b for b in bytes(word, "utf-8")[: length - 2]), 260]))


# %% q2-losses
class Loss:
    def __init__(self, step):
        self.step = step

    def __call__(self, logits, ids, mask):
        logits = np.asarray(logits, dtype="float64")
        logits = logits - logits.max(axis=-1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        rows, times = np.nonzero(mask)
        there = times + self.step
        inside = (there >= 0) & (there < mask.sum(axis=1)[rows])
        rows, times, there = rows[inside], times[inside], there[inside]
        return -logs[rows, times, ids[rows, there]].mean()


def bilm_losses(forward_logits, backward_logits, ids, mask):
    return Loss(+1)(forward_logits, ids, mask), Loss(-1)(backward_logits, ids, mask)


# %% q3-representations
def representations(tokens, forward, backward):
    words = range(len(tokens))
    layer_numbers = range(len(forward))
    by_word = [
        [[*tokens[k], *tokens[k]]] + [[*forward[j][k], *backward[j][-1 - k]] for j in layer_numbers]
        for k in words
    ]
    return np.swapaxes(np.array(by_word), 0, 1)


# %% q4-mix
class Mix:
    """A callable in place of a function."""

    def __call__(self, layers, w, gamma):
        layers = ops.moveaxis(ops.convert_to_tensor(layers), 1, -1)
        return ops.matmul(layers, ops.expand_dims(gamma * ops.softmax(w), -1))[..., 0]


scalar_mix = Mix()

# %% q5-penalty
mix_penalty = lambda w, strength: ops.sum(ops.power(ops.convert_to_tensor(w), 2)) * strength


# %% q6-batch
def padded_layers(vectors):
    longest = sorted(v.shape[1] for v in vectors)[-1]
    mask = np.zeros((len(vectors), longest), dtype=bool)
    rows = []
    for b, v in enumerate(vectors):
        mask[b, : v.shape[1]] = 1
        row = np.tile(v[:, :1] * 0, (1, longest, 1))
        row[:, mask[b]] = v
        rows += [row]
    return [np.asarray(rows), mask]


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    def with_elmo(function, *places):
        def run(inputs, *more):
            if where in places:
                inputs = ops.concatenate([inputs, elmo_vectors], axis=-1)
            return function(inputs, *more)

        return run

    return with_elmo(to_logits, "output", "both")(with_elmo(rnn, "input", "both")(static, mask))


# %% q8-freeze
def freeze_bilm(model):
    model.trainable = True
    [setattr(layer, "trainable", layer is not model.bilm) for layer in model.layers]


# %% q9-nearest
def nearest(query, vectors, count):
    remaining = list(range(len(vectors)))
    unit = [v / np.sqrt(v @ v) for v in vectors]
    found = []
    while len(found) < count:
        best = max(remaining, key=lambda n: unit[n] @ query)
        remaining.remove(best)
        found.append(best)
    return np.array(found)


# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    means = {m: np.mean([k for k, l in zip(known, meanings) if l == m], axis=0) for m in {*meanings}}

    def angle(v, m):
        return np.arccos(np.clip(v @ means[m] / np.linalg.norm(v) / np.linalg.norm(means[m]), -1, 1))

    return np.array([min(means, key=lambda m: angle(v, m)) for v in vectors])


# %% q12-start
def start_from(language_model, classifier):
    copies = [np.copy(w) for w in language_model.get_weights()]
    own = classifier.encoder.get_weights()
    classifier.encoder.set_weights(
        [next(c for c in copies[place:] if c.shape == w.shape) for place, w in enumerate(own)]
    )


# %% q13-tune
keras.utils.set_random_seed(11)
judge = models.SequenceClassifier.from_language_model(language_model, classes=2, dropout=0.1)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(judged_ids, judged_labels, epochs=JUDGE_EPOCHS, batch_size=32, shuffle=True, verbose=0)
