# right: itertools, np.vectorize, a callable object, recursion, bisection, counted pairs

# %% q1-shift
import itertools


def shift_targets(targets, mask):
    """Each row is an endless chain of symbols and padding, cut to the width."""
    width = np.shape(targets)[1] + 1
    padding = itertools.repeat(PAD_ID)
    rows = [list(itertools.compress(*pair)) for pair in zip(np.asarray(targets), np.asarray(mask))]
    return tuple(
        np.array(
            [
                list(itertools.islice(itertools.chain(front, row, back, padding), width))
                for row in rows
            ]
        )
        for front, back in [([BOS_ID], []), ([], [EOS_ID])]
    )

# %% q2-dot
import operator

dot_product_score = np.vectorize(
    lambda query, keys: np.array([sum(map(operator.mul, query, key)) for key in keys]),
    signature="(u),(s,u)->(s)",
)

# %% q5-softmax
class LogSpaceSoftmax:
    """The sum of the exponentials never leaves the logarithms, so nothing can overflow."""

    def __call__(self, scores, mask):
        scores = np.asarray(scores)
        kept = np.where(np.asarray(mask, dtype=bool), scores.astype("float64"), -np.inf)
        total = np.logaddexp.reduce(kept, axis=-1, keepdims=True)
        return np.exp(kept - total).astype(np.result_type(scores.dtype, "float32"))


masked_softmax = LogSpaceSoftmax()

# %% q8-greedy
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

# %% q12-length
import itertools
from bisect import bisect_left


def accuracy_by_length(predictions, targets, edges):
    """Sort by length once, count the hits up to each place, and subtract at the edges."""
    ranked = sorted(
        (len(target), prediction == target) for prediction, target in zip(predictions, targets)
    )
    hits = list(itertools.accumulate((hit for _, hit in ranked), initial=0))
    cuts = [bisect_left(ranked, (edge,)) for edge in edges]
    return [
        (hits[high] - hits[low]) / (high - low) for low, high in itertools.pairwise(cuts)
    ]

# %% q14-path
import itertools


def path_length(j, i, n, attention):
    """Write down the stations of the path and count the pairs of neighbours."""
    inside = (
        ["h", "c", "s"]
        if attention
        else [("h", k) for k in range(j, n + 1)] + [("s", k) for k in range(1, i + 1)]
    )
    return sum(1 for _ in itertools.pairwise(["x", *inside, "y"]))
