# right: argsort, generators, itertools.groupby, namedtuple, corrcoef and other short ways with NumPy and keras.ops

# %% q1-reverse
def reverse_real(inputs, mask):
    """Sort the places of each row: real ones by falling number, the padding after them."""
    places = np.arange(mask.shape[1])
    order = np.argsort(np.where(mask, -places, places + 1), axis=1, kind="stable")
    return ops.take_along_axis(inputs, order[..., None], axis=1)

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    def states(weights, order):
        h = np.zeros((len(inputs), len(weights["U"])))
        found = {}
        for t in order:
            # on padding the state is 0: this harms nobody, because padding stands at the end
            found[t] = h = mask[:, t : t + 1] * rnn_step(inputs[:, t], h, weights)
        return np.stack([found[t] for t in sorted(found)], axis=1)

    there = range(np.shape(inputs)[1])
    return np.dstack([states(forward, there), states(backward, there[::-1])])

# %% q3-stacked
from itertools import accumulate


def stacked(inputs, mask, weights):
    layer = lambda below, w: both_directions(below, mask, w["forward"], w["backward"])
    return list(accumulate(weights, layer, initial=inputs))[1:]

# %% q4-train
settings = dict(tags=4, units=48, embedding=24, cell="lstm", directions="both")
bank_tagger = models.TokenTagger(len(bank_vocabulary), **settings)
bank_tagger.compile(keras.optimizers.RMSprop(0.005))
_ = bank_tagger.fit(bank_ids, bank_labels, batch_size=32, epochs=BANK_EPOCHS + 1, verbose=0)

# %% q6-final
def final_states(outputs, mask):
    forward, backward = np.split(np.asarray(outputs), 2, axis=-1)
    mask = np.asarray(mask)
    is_last = mask & ~np.c_[mask[:, 1:], np.zeros(len(mask), bool)]
    return np.c_[forward[is_last], backward[:, 0]]

# %% q7-mcc
def matthews(predictions, labels):
    """Of two yes-no variables, the MCC is the correlation."""
    p, y = (np.asarray(each, float) - np.mean(each) for each in (predictions, labels))
    below = np.sqrt((p @ p) * (y @ y))
    return p @ y / below if below > 1e-12 else 0.0

# %% q8-train
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="gru", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
_ = judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)

# %% q9-cosine
def cosine_similarity(first, second):
    def direction(vectors):
        vectors = np.asarray(vectors)
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        return np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)

    return np.einsum("bu,bu->b", direction(first), direction(second))

# %% q10-threshold
def best_threshold(similarities, labels):
    """From the lowest threshold on, each paraphrase that is passed is lost, each other one won."""
    order = np.argsort(similarities, kind="stable")
    ranked = np.append(np.asarray(similarities, float)[order], np.inf)
    gains = np.cumsum(np.append(0, np.where(np.asarray(labels)[order] == 1, -1, 1)))
    allowed = np.append(True, ranked[1:] > ranked[:-1])  # equal ones are passed together
    return ranked[np.argmax(np.where(allowed, gains, -np.inf))]

# %% q12-accuracy
tag_accuracy = lambda predicted, gold, mask: np.average(np.equal(predicted, gold), weights=mask)

# %% q13-spans
from collections import namedtuple
from itertools import groupby

Entity = namedtuple("Entity", "kind start end")


def entity_spans(tags):
    """Number the entities: it goes up where one begins. Then group by the number."""
    before = ["O", *tags[:-1]]
    begins = [tag[0] == "B" or tag[1:] != last[1:] for tag, last in zip(tags, before)]
    numbered = zip(accumulate(begins), range(len(tags)), tags)
    groups = [list(group) for _, group in groupby(numbered, key=lambda each: each[0])]
    return [
        Entity(group[0][2].split("-")[1], group[0][1], group[-1][1] + 1)
        for group in groups
        if group[0][2] != "O"
    ]

# %% q14-f1
def entity_f1(predicted, gold):
    """One set for all sentences; the number of the sentence belongs to each entity."""
    everything = lambda rows: {(n, *span) for n, tags in enumerate(rows) for span in spans_of(tags)}
    p, g = everything(predicted), everything(gold)
    if not p & g:
        return 0.0
    precision, recall = len(p & g) / len(p), len(p & g) / len(g)
    return 2 / (1 / precision + 1 / recall)
