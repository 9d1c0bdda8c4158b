# right: the mask as a factor of the state, sorting instead of counting, other ways to the same numbers

# %% q1-reverse
def reverse_real(inputs, mask):
    mask = np.asarray(mask)
    time = mask.shape[1]
    keys = np.where(mask, -np.arange(time), 1)
    return [np.asarray(row)[np.argsort(key, kind="stable")] for row, key in zip(inputs, keys)]

# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    inputs, keep = np.asarray(inputs, "float64"), np.asarray(mask).astype("float64")[:, :, None]
    time = inputs.shape[1]
    result = np.empty((len(inputs), time, 2, len(forward["b"])))
    for half, (weights, order) in enumerate([(forward, range(time)), (backward, reversed(range(time)))]):
        h = np.zeros_like(result[:, 0, 0])
        for t in order:
            result[:, t, half] = h = rnn_step(inputs[:, t], h, weights) * keep[:, t]
    return result.reshape(len(inputs), time, -1)

# %% q3-stacked
def stacked(inputs, mask, weights):
    if not weights:
        return []
    lowest = both_directions(inputs, mask, **weights[0])
    return [lowest, *stacked(lowest * np.asarray(mask)[:, :, None], mask, weights[1:])]

# %% q6-final
def final_states(outputs, mask):
    forward, backward = np.split(np.asarray(outputs), 2, axis=-1)
    last = np.asarray(mask) & ~np.pad(np.asarray(mask), ((0, 0), (0, 1)))[:, 1:]
    return np.hstack([forward[last], backward[:, 0]])

# %% q7-mcc
def matthews(predictions, labels):
    if len(set(map(int, predictions))) < 2 or len(set(map(int, labels))) < 2:
        return 0
    a, b = (np.asarray(each, "float64") - np.mean(each) for each in (predictions, labels))
    return a @ b / np.sqrt((a @ a) * (b @ b))

# %% q9-cosine
def cosine_similarity(first, second):
    def unit(rows):
        rows = np.asarray(rows, "float64")
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)

    return np.diag(unit(first) @ unit(second).T)

# %% q10-threshold
def best_threshold(similarities, labels):
    values = np.unique(np.asarray(similarities, "float64"))
    candidates = [values[0] - 1, *(values[:-1] + values[1:]) / 2, values[-1] + 1]
    wrong = [
        sum((s >= each) != bool(label) for s, label in zip(np.asarray(similarities, "float64"), labels))
        for each in candidates
    ]
    return candidates[int(np.argmin(wrong))]

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return np.average(np.equal(predicted, gold), weights=np.asarray(mask))

# %% q13-spans
def entity_spans(tags):
    starts = [
        place
        for place, tag in enumerate(tags)
        if tag[0] == "B" or (tag[0] == "I" and (place == 0 or tags[place - 1][1:] != tag[1:]))
    ]
    found = []
    for start in starts:
        end = start + 1
        while end < len(tags) and tags[end] == "I" + tags[start][1:]:
            end += 1
        found.append((tags[start][2:], start, end))
    return found

# %% q14-f1
def entity_f1(predicted, gold):
    said, true = list(map(spans_of, predicted)), list(map(spans_of, gold))
    different = sum(len(p ^ g) for p, g in zip(said, true))
    total = sum(map(len, said + true))
    return 1 - different / total if total else 0
