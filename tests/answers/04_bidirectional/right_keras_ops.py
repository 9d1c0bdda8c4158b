# right: vectorised keras.ops; the backward direction runs forward over turned inputs; correlation for the MCC; sorted sums for the threshold
# %% q1-reverse
def reverse_real(inputs, mask):
    inputs = ops.convert_to_tensor(inputs)
    lengths = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
    time = inputs.shape[1]
    places = ops.mod(lengths - 1 - ops.arange(time, dtype="int32")[None], time)
    return ops.take_along_axis(inputs, places[..., None], axis=1)

# %% q2-bidirectional
def turned(array, mask):
    lengths = np.sum(mask, axis=1, keepdims=True)
    places = np.where(mask, lengths - 1 - np.arange(mask.shape[1]), 0)
    return ops.take_along_axis(ops.convert_to_tensor(array), places[..., None], axis=1)


def run(inputs, weights):
    """A forward network; with the padding at the end it needs no mask."""
    W, U, b = (ops.convert_to_tensor(weights[name], dtype="float32") for name in "WUb")
    projected = ops.matmul(ops.cast(inputs, "float32"), W) + b
    h = ops.zeros_like(projected[:, 0])
    states = []
    for x in ops.unstack(projected, projected.shape[1], axis=1):
        h = ops.tanh(x + ops.matmul(h, U))
        states.append(h)
    return ops.stack(states, axis=1)


def bidirectional(inputs, mask, forward, backward):
    ahead = run(inputs, forward)
    back = turned(run(turned(inputs, mask), backward), mask)
    return ops.concatenate([ahead, back], axis=-1)

# %% q3-stacked
def stacked(inputs, mask, weights):
    results = [inputs]
    for layer in weights:
        results.append(ops.convert_to_tensor(both_directions(results[-1], mask, **layer)))
    return results[1:]

# %% q4-train
keras.utils.set_random_seed(1)
bank_tagger = models.TokenTagger(
    vocabulary_size=len(bank_vocabulary),
    tags=len(BANK_LABELS),
    units=48,
    embedding=48,
    cell="gru",
    directions="both",
)
bank_tagger.compile(
    optimizer=keras.optimizers.Adam(learning_rate=0.005), loss=models.masked_cross_entropy
)
history = bank_tagger.fit(x=bank_ids, y=bank_labels, epochs=BANK_EPOCHS, batch_size=32, verbose=0)

# %% q6-final
def final_states(outputs, mask):
    outputs = ops.convert_to_tensor(outputs)
    ahead, back = ops.split(outputs, 2, axis=-1)
    mask = ops.cast(mask, outputs.dtype)
    is_last = mask - ops.pad(mask[:, 1:], [[0, 0], [0, 1]])  # 1 at the last real position
    return ops.concatenate([ops.einsum("bt,btu->bu", is_last, ahead), back[:, 0]], axis=1)

# %% q7-mcc
def matthews(predictions, labels):
    if len(set(predictions.tolist())) < 2 or len(set(labels.tolist())) < 2:
        return 0.0
    return np.corrcoef(predictions, labels)[0, 1]

# %% q9-cosine
def cosine_similarity(first, second):
    first = ops.normalize(ops.convert_to_tensor(first), axis=-1)
    return ops.einsum("bu,bu->b", first, ops.normalize(ops.convert_to_tensor(second), axis=-1))

# %% q10-threshold
def best_threshold(similarities, labels):
    order = np.argsort(similarities)
    s, t = np.asarray(similarities)[order], np.asarray(labels)[order]
    # with k pairs under the threshold: the others among them are right, and the paraphrases above
    right = np.concatenate([[0], np.cumsum(1 - t)]) + t.sum() - np.concatenate([[0], np.cumsum(t)])
    edges = np.concatenate([[s[0] - 1], (s[1:] + s[:-1]) / 2, [s[-1] + 1]])
    return edges[right.argmax()]

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return np.average(predicted == gold, weights=mask)

# %% q13-spans
def entity_spans(tags):
    spans = []
    for position, tag in enumerate(tags):
        if tag == "O":
            continue
        kind = tag.split("-")[1]
        goes_on = tag[0] == "I" and spans and spans[-1][2] == position and spans[-1][0] == kind
        if goes_on:
            spans[-1][2] = position + 1
        else:
            spans.append([kind, position, position + 1])
    return spans

# %% q14-f1
def entity_f1(predicted, gold):
    ours, theirs = (
        {(number, *span) for number, tags in enumerate(each) for span in spans_of(tags)}
        for each in (predicted, gold)
    )
    return 2 * len(ours & theirs) / max(1, len(ours) + len(theirs))
