# right: recursion, a heap, Counter, generators, callable objects; the context at every step and one direction in the training question
# %% q1-vocabulary
from collections import Counter
from itertools import chain, count


def build_vocabulary(texts):
    seen = Counter(chain.from_iterable(texts))
    return dict(zip(sorted(seen, key=ord), count(EOS_ID + 1)))

# %% q2-encode
from collections import defaultdict
from itertools import zip_longest


def encode_texts(texts, ids):
    known = defaultdict(lambda: UNK_ID, ids)
    known[None] = PAD_ID
    columns = list(zip_longest(*texts))
    rows = np.array([[known[symbol] for symbol in column] for column in columns]).T
    return rows, rows != PAD_ID

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    """The state after n symbols is one step after the state after n - 1."""

    def after(n):
        if n == 0:
            return np.zeros((len(inputs), U.shape[1]))
        before = after(n - 1)
        moved = rnn_step(inputs[:, n - 1], before, W, U, b)
        real = mask[:, n - 1 : n].astype(float)
        return real * moved + (1 - real) * before

    return after(inputs.shape[1])

# %% q5-first-state
class Walker:
    """A state that can be moved on."""

    def __init__(self, state, W, U, b):
        self.state, self.weights = state, (W, U, b)

    def __call__(self, vectors):
        self.state = rnn_step(vectors, self.state, *self.weights)
        return self.state


def decode_from_context(inputs, context, W, U, b):
    return np.moveaxis(
        np.array(list(map(Walker(context, W, U, b), np.moveaxis(inputs, 1, 0)))), 0, 1
    )

# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = [*source, sep_id, *target, eos_id]
    pairs = [(one, two, place >= len(source)) for place, (one, two) in enumerate(zip(whole, whole[1:]))]
    return tuple(np.array(column) for column in zip(*pairs))

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    """The first symbol, and then the rest of the sentence by the same rule."""

    def rest(previous, state, open_rows, left):
        if left == 0 or not any(open_rows):
            return np.empty((batch, 0), dtype=int)
        scores, state = step(previous, state)
        ranked = np.argsort(-np.asarray(scores), axis=-1, kind="stable")
        symbols = np.array(
            [int(row[0]) if is_open else PAD_ID for row, is_open in zip(ranked, open_rows)]
        )
        open_rows = [is_open and symbol != EOS_ID for is_open, symbol in zip(open_rows, symbols)]
        return np.column_stack([symbols, rest(symbols, state, open_rows, left - 1)])

    return rest(np.repeat(BOS_ID, batch), state, [True] * batch, max_length)

# %% q10-beam
import heapq


def beam_search(step, state, width, max_length, power):
    """The probabilities are kept as products, and the logarithm is taken at the end."""
    level, finished = {(): (1.0, state)}, {}
    for _ in range(max_length):
        children = {}
        for ids, (probability, old) in level.items():
            scores, new = step((BOS_ID, *ids)[-1], old)
            for symbol, p in enumerate(np.exp(log_probabilities(scores))):
                children[(*ids, symbol)] = (probability * p, new)
        kept = heapq.nlargest(width, children.items(), key=lambda item: item[1][0])
        finished.update(item for item in kept if item[0][-1] == EOS_ID)
        level = dict(item for item in kept if item[0][-1] != EOS_ID)
    scores = {
        ids: float(np.log(probability)) / len(ids) ** power
        for ids, (probability, _) in {**finished, **level}.items()
    }
    best = max(scores, key=scores.get)
    return np.array(best), scores[best]

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        source_size=task["source_size"],
        target_size=task["target_size"],
        units=128,
        embedding=32,
        bidirectional=False,
        context="every step",
    )
    model.compile(make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    inputs = {key: task[key] for key in ("source", "previous")}
    model.fit(inputs, task["following"], batch_size=32, epochs=epochs, verbose=0)
    return model

# %% q12-groups
from itertools import groupby


def accuracy_by_group(predictions, targets, groups):
    ranked = sorted(zip(groups, map(str.__eq__, predictions, targets)))
    shares = {}
    for group, rows in groupby(ranked, key=lambda row: row[0]):
        hits = [hit for _, hit in rows]
        shares[group] = hits.count(True) / len(hits)
    return shares
