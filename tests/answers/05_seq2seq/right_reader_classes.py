# right: classes, closures, generators and float64; a heap, a recursion, str.translate, other sizes of the model

# %% q1-vocabulary
from collections import Counter, OrderedDict, defaultdict
from itertools import accumulate, chain, count


def build_vocabulary(texts):
    """An OrderedDict is a dictionary, too."""
    return OrderedDict(zip(sorted(set(chain.from_iterable(texts))), count(EOS_ID + 1)))

# %% q2-encode
def encode_texts(texts, ids):
    known = defaultdict(lambda: UNK_ID, ids)
    lengths = np.fromiter(map(len, texts), int)
    mask = np.arange(lengths.max()) < lengths[:, np.newaxis]
    numbers = np.full(mask.shape, PAD_ID, dtype=np.int64)
    numbers[mask] = [known[each] for each in "".join(texts)]  # row by row, as the mask goes
    return numbers, mask

# %% q3-shift
class Shifted:
    """Targets with a free place at one side."""

    def __init__(self, targets, mask):
        self.targets = np.asarray(targets) * np.asarray(mask)
        self.lengths = np.count_nonzero(mask, axis=1)

    @property
    def previous(self):
        return np.insert(self.targets, 0, BOS_ID, axis=1)

    @property
    def following(self):
        longer = np.pad(self.targets, ((0, 0), (0, 1)))
        np.put_along_axis(longer, self.lengths[:, None], EOS_ID, axis=1)
        return longer


def shift_targets(targets, mask):
    shifted = Shifted(targets, mask)
    return shifted.previous, shifted.following

# %% q4-encoder
class Network:
    """The steps of a simple network in float64, from a first state on."""

    def __init__(self, W, U, b):
        self.weights = [np.asarray(each, dtype=np.float64) for each in (W, U, b)]

    def states(self, inputs, first):
        """(batch, time, units), for inputs (batch, time, features)."""
        by_time = np.moveaxis(np.asarray(inputs, dtype=np.float64), 1, 0)
        steps = accumulate(by_time, lambda h, x: rnn_step(x, h, *self.weights), initial=first)
        return np.stack(list(steps)[1:], axis=1)


def encoder_context(inputs, mask, W, U, b):
    states = Network(W, U, b).states(inputs, np.zeros((len(inputs), len(U))))
    # The first padding, less 1. Without padding argmin gives 0, and -1 is the last place.
    last = np.argmin(mask, axis=1) - 1
    return states[np.arange(len(states)), last]

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    class Decoder:
        def __init__(self, context):
            self.state = context

        def __call__(self, y):
            self.state = rnn_step(y, self.state, W, U, b)
            return self.state

    decoder = Decoder(np.float64(context))
    return np.array([decoder(y) for y in np.swapaxes(inputs, 0, 1)]).swapaxes(0, 1)

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    """W in two parts: what belongs to the context is the same at each step, like a bias."""
    W, features = np.asarray(W, dtype=np.float64), np.shape(inputs)[-1]
    from_context = np.asarray(context) @ W[features:] + np.asarray(b)

    def states(s, rest):
        if rest.shape[1] == 0:
            return []
        s = rnn_step(rest[:, 0], s, W[:features], U, from_context)
        return [s, *states(s, rest[:, 1:])]

    return np.stack(states(np.zeros(np.shape(context)), np.asarray(inputs)), axis=1)

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    own = np.greater_equal(draws, probability).astype(int)
    return np.choose(own, [true, predicted])

# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = np.r_[source, sep_id, target, eos_id].astype(np.int16)
    mask = np.r_[np.zeros(len(source), bool), np.ones(len(target) + 1, bool)]
    return whole[:-1], whole[1:], mask

# %% q9-greedy
class Writer:
    """Iterates over the columns that the decoder writes."""

    def __init__(self, step, state, batch):
        self.step, self.state = step, state
        self.previous = np.full(batch, BOS_ID)
        self.writes = np.ones(batch, dtype=bool)

    def __iter__(self):
        return self

    def __next__(self):
        if not self.writes.any():
            raise StopIteration
        scores, self.state = self.step(self.previous, self.state)
        self.previous = np.asarray(scores).argmax(-1) * self.writes  # PAD_ID is 0
        self.writes = self.writes & (self.previous != EOS_ID)
        return self.previous


def greedy_decode(step, state, batch, max_length):
    columns = [column for _, column in zip(range(max_length), Writer(step, state, batch))]
    return np.column_stack(columns).astype("int64")

# %% q10-beam
import heapq
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hypothesis:
    """One beginning of a sentence."""

    state: object = field(repr=False)
    ids: tuple = ()
    total: float = 0.0

    @property
    def ended(self):
        return self.ids[-1:] == (EOS_ID,)

    def score(self, power):
        return self.total / len(self.ids) ** power

    def longer(self, step):
        scores, state = step((self.ids or (BOS_ID,))[-1], self.state)
        for symbol, log in enumerate(log_probabilities(scores)):
            yield Hypothesis(state, (*self.ids, symbol), self.total + log)


def beam_search(step, state, width, max_length, power):
    def search(beam, left):
        """All complete hypotheses, and the last beam."""
        if left == 0 or not beam:
            return beam
        candidates = (new for old in beam for new in old.longer(step))
        best = heapq.nlargest(width, candidates, key=lambda each: each.total)
        complete = [each for each in best if each.ended]
        return complete + search([each for each in best if not each.ended], left - 1)

    winner = max(search([Hypothesis(state)], max_length), key=lambda each: each.score(power))
    return list(winner.ids), winner.score(power)

# %% q11-train
def trainer(**sizes):
    """A function that trains models of these sizes."""

    def train(task, epochs):
        model = models.EncoderDecoder(
            source_size=task["source_size"], target_size=task["target_size"], **sizes
        )
        model.compile(make_optimizer(task, epochs), models.masked_cross_entropy)
        inputs = {key: value for key, value in task.items() if key in ("source", "previous")}
        model.fit(inputs, task["following"], batch_size=32, epochs=epochs, verbose=0)
        return model

    return train


train_model = trainer(units=128, embedding=48, bidirectional=False, context="every step")

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    right = Counter(g for p, t, g in zip(predictions, targets, groups) if p == t)
    return Counter({group: right[group] / number for group, number in Counter(groups).items()})
