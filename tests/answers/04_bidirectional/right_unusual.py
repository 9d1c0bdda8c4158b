# right: callable objects and generators; lists, tuples and a list of one number as results; other numbers on the padding
# %% q1-reverse
def reverse_real(inputs, mask):
    rows = []
    for row, real in zip(inputs, mask):
        rows.append(list(row[real][::-1]) + [[-5.0] * inputs.shape[2]] * int((~real).sum()))
    return rows

# %% q2-bidirectional
class Direction:
    """Reads one way, and keeps what it has read."""

    def __init__(self, weights, backward=False):
        self.weights, self.backward = weights, backward

    def __call__(self, sentence):
        h = np.zeros((1, self.weights["U"].shape[0]), dtype=np.float64)
        states = []
        for x in sentence[::-1] if self.backward else sentence:
            h = rnn_step(x[None], h, self.weights)
            states.append(h[0])
        return np.array(states[::-1] if self.backward else states)


class BiRNN:
    def __call__(self, inputs, mask, forward, backward):
        ahead, back = Direction(forward), Direction(backward, backward=True)
        result = np.full((*mask.shape, 2 * len(forward["b"])), -1.0)
        for row, (sentence, real) in enumerate(zip(inputs, mask)):
            result[row, real] = np.hstack([ahead(sentence[real]), back(sentence[real])])
        return result


bidirectional = BiRNN()

# %% q3-stacked
import itertools


def stacked(inputs, mask, weights):
    steps = itertools.accumulate(
        weights, lambda below, w: both_directions(below, mask, *w.values()), initial=inputs
    )
    return tuple(steps)[1:]

# %% q6-final
final_states = lambda outputs, mask: [  # noqa: E731
    [*row[real][-1][: row.shape[-1] // 2], *row[real][0][row.shape[-1] // 2 :]]
    for row, real in zip(np.asarray(outputs), mask)
]

# %% q7-mcc
def matthews(predictions, labels):
    p, t = (np.asarray(each).astype(bool) for each in (predictions, labels))
    table = np.array([[np.sum(p & t), np.sum(p & ~t)], [np.sum(~p & t), np.sum(~p & ~t)]], "float")
    below = np.sqrt(np.prod(table.sum(axis=0)) * np.prod(table.sum(axis=1)))
    return [np.linalg.det(table) / below if below else 0.0]

# %% q9-cosine
def cosine_similarity(first, second):
    return [
        0.0 if not (u.any() and v.any()) else float(u @ v / np.sqrt((u @ u) * (v @ v)))
        for u, v in zip(np.asarray(first, "float64"), np.asarray(second, "float64"))
    ]

# %% q10-threshold
def best_threshold(similarities, labels):
    candidates = [*similarities, float("inf")]
    return max(candidates, key=lambda c: sum((s >= c) == bool(t) for s, t in zip(similarities, labels)))

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return np.count_nonzero((predicted == gold) & mask) / np.count_nonzero(mask)

# %% q13-spans
from typing import NamedTuple


class Name(NamedTuple):
    kind: str
    start: int
    end: int


def entity_spans(tags):
    def spans():
        place = 0
        for (mark_of_begin, kind), group in groups(tags):
            if mark_of_begin:
                yield Name(kind, place, place + group)
            place += group

    return [*spans()]


def groups(tags):
    """(is a name, kind), and how many words it has."""
    before = "O"
    run = []
    for tag in tags:
        new = tag == "O" or tag[0] == "B" or before[2:] != tag[2:]
        if new and run:
            yield (run[0] != "O", run[0][2:]), len(run)
            run = []
        run.append(tag)
        before = tag
    if run:
        yield (run[0] != "O", run[0][2:]), len(run)

# %% q14-f1
def entity_f1(predicted, gold):
    sides = [[spans_of(tags) for tags in side] for side in (predicted, gold)]
    right = sum(len(a & b) for a, b in zip(*sides))
    sizes = [sum(map(len, side)) for side in sides]
    if not right:
        return 0
    return 1 / np.mean([size / right for size in sizes])
