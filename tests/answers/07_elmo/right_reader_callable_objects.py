# right: an object that is called, lambdas, closures, float64, sums for means, norms that change no order, one epoch at a time

# %% q1-characters
word_characters = lambda word, length: (
    [259, *(byte + 1 for byte in word.encode()[: length - 2]), 260] + [261] * length
)[:length]

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    """A pair of neighbours is one prediction for each direction."""
    ids = np.asarray(ids)
    row, second = np.nonzero(np.asarray(mask)[:, 1:])
    first, second = second, second + 1

    def loss(logits, read, predicted):
        chosen = np.asarray(logits, "float64")[row, read]
        wanted = chosen[range(len(row)), ids[row, predicted]]
        return np.mean(np.logaddexp.reduce(chosen, axis=-1) - wanted)

    return np.array([loss(forward_logits, first, second), loss(backward_logits, second, first)])

# %% q3-representations
def representations(tokens, forward, backward):
    """Both directions as one more axis, which is then folded into the last one."""
    left = [tokens, *forward]
    right = [tokens, *(layer[::-1] for layer in backward)]
    both = np.stack([left, right], axis=-2)
    return both.reshape(both.shape[0], both.shape[1], -1)

# %% q4-mix
class Mixture:
    """Mixes along one axis of an array."""

    def __init__(self, axis):
        self.axis = axis

    def __call__(self, layers, w, gamma):
        shares = ops.exp(w - ops.logsumexp(w))
        return ops.sum(self.stretched(shares, layers) * layers, axis=self.axis) * gamma

    def stretched(self, shares, layers):
        shape = [1] * len(layers.shape)
        shape[self.axis] = -1
        return ops.reshape(shares, shape)


scalar_mix = Mixture(axis=1)

# %% q5-penalty
mix_penalty = lambda w, strength: ops.dot(w, w) * strength

# %% q6-batch
def padded_layers(vectors):
    """Time comes first while the words are put in, because the mask picks places."""
    lengths = np.array([each.shape[1] for each in vectors])
    mask = np.less(np.arange(lengths.max()), lengths[:, np.newaxis])
    number_of_layers, _, size = vectors[0].shape
    places = np.zeros((*mask.shape, number_of_layers, size))
    places[mask] = np.concatenate([np.swapaxes(each, 0, 1) for each in vectors])
    return [np.moveaxis(places, 2, 1), mask]

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    joined = lambda vectors: ops.concatenate([vectors, elmo_vectors], axis=-1)
    alone = lambda vectors: vectors
    below, above = {
        "none": (alone, alone),
        "input": (joined, alone),
        "output": (alone, joined),
        "both": (joined, joined),
    }[where]
    return to_logits(above(rnn(below(static), mask=mask)))

# %% q8-freeze
freeze_bilm = lambda model: setattr(model.bilm, "trainable", False)

# %% q9-nearest
from heapq import nlargest


def nearest(query, vectors, count):
    """The query has one length for all rows, so it changes no order."""
    vectors = np.asarray(vectors, "float64")
    cosines = vectors @ query / np.sqrt(np.einsum("ns,ns->n", vectors, vectors))
    return nlargest(count, range(len(vectors)), key=cosines.__getitem__)

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    """The sum of the examples points where their mean points."""
    names, places = np.unique(meanings, return_inverse=True)
    sums = np.equal.outer(np.arange(len(names)), places) @ np.asarray(known, "float64")
    directions = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return names[np.argmax(vectors @ directions.T, axis=1)]

# %% q12-start
from itertools import chain


def start_from(language_model, classifier):
    parts = lambda owner: chain([owner.embedding], owner.recurrences)
    for old, new in zip(parts(language_model), parts(classifier.encoder)):
        new.set_weights([array.astype("float64") for array in old.get_weights()])

# %% q13-tune
judge = models.SequenceClassifier.from_language_model(model=language_model, classes=2)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
for _ in range(JUDGE_EPOCHS):
    judge.fit(judged_ids, judged_labels, batch_size=32, epochs=1, verbose=0)
