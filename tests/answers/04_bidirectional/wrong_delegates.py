# wrong: the ready-made layers and functions do the work
# loses: q1-reverse-test q2-keras-test q2-padding-test q3-stacked-test q7-mcc-test q9-cosine-test q10-threshold-test q12-accuracy-test q13-spans-test q14-f1-test
# says: ready-made
# says: write it yourself
# %% q1-reverse
reverse_real = layers.reverse_sequences


# %% q2-bidirectional
def bidirectional(inputs, mask, forward, backward):
    layer = keras.layers.Bidirectional(
        keras.layers.SimpleRNN(len(forward["b"]), return_sequences=True)
    )
    layer.build(inputs.shape)
    layer.set_weights([*forward.values(), *backward.values()])
    return layer(inputs, mask=ops.convert_to_tensor(mask))


# %% q3-stacked
def stacked(inputs, mask, weights):
    def both(layer):
        return layers.Bidirectional(
            layers.Recurrence(layers.ElmanCell(len(layer["forward"]["b"]))),
            layers.Recurrence(layers.ElmanCell(len(layer["forward"]["b"])), reverse=True),
        )

    stack = layers.StackedBidirectional([both(layer) for layer in weights])
    stack.build(inputs.shape)
    stack.set_weights([a for layer in weights for half in layer.values() for a in half.values()])
    return stack(inputs, mask=mask)[1]


# %% q7-mcc
from sklearn.metrics import matthews_corrcoef


def matthews(predictions, labels):
    return matthews_corrcoef(labels, predictions)


# %% q9-cosine
cosine_similarity = models.cosine_similarity


# %% q10-threshold
def best_threshold(similarities, labels):
    return models.best_threshold(labels, similarities)[0]


# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    return metrics.tag_accuracy(
        [row[real].tolist() for row, real in zip(predicted, mask)],
        [row[real].tolist() for row, real in zip(gold, mask)],
    )


# %% q13-spans
entity_spans = metrics.entities


# %% q14-f1
def entity_f1(predicted, gold):
    return metrics.entity_f1(predicted, gold)["all"].f1
