# right: Python sets of links, a Fraction as the number, bisect for the bands, counted arrows, a mask filled with -inf, a sum over a Python list

# %% q1-shift
def shift_targets(targets, mask):
    symbols = [
        [int(symbol) for symbol, real in zip(row, real_row) if real]
        for row, real_row in zip(np.asarray(targets), np.asarray(mask))
    ]
    width = np.shape(targets)[1] + 1
    previous = [[BOS_ID, *row] for row in symbols]
    following = [[*row, EOS_ID] for row in symbols]
    filled = [[row + [PAD_ID] * (width - len(row)) for row in rows] for rows in (previous, following)]
    return np.array(filled[0], dtype="int32"), np.array(filled[1], dtype="int32")

# %% q6-context
def context_vector(weights, keys):
    return sum(weights[:, j, None] * keys[:, j] for j in range(keys.shape[1]))

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    from fractions import Fraction

    A, S, P = (set(zip(*map(list, np.nonzero(np.asarray(links))))) for links in (predicted, sure, possible))
    return 1 - Fraction(len(A & S) + len(A & P), len(A) + len(S))

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    from bisect import bisect_right

    bands = [[] for _ in range(len(edges) + 1)]
    for prediction, target in zip(predictions, targets):
        bands[bisect_right(list(edges), len(target))].append(prediction == target)
    return [np.float32(np.mean(band)) for band in bands[1:-1]]

# %% q14-path
def path_length(j, i, n, attention):
    if attention:
        way = ["x", "h", "c", "s", "y"]
    else:
        way = ["x", *("h" for _ in range(j, n + 1)), *("s" for _ in range(1, i + 1)), "y"]
    return len(way) - 1
