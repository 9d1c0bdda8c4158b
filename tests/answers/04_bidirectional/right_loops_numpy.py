# right: plain Python loops and NumPy float64, verbose, with prints and warnings; LSTM cells and train_on_batch in the trained questions

# %% q1-reverse
import warnings


def reverse_real(inputs, mask):
    inputs = np.asarray(inputs, dtype=np.float64)
    batch, time, features = inputs.shape
    print("reverse_real got", inputs.shape)
    result = np.full((batch, time, features), np.nan)  # the padding does not matter
    for b in range(batch):
        length = 0
        for t in range(time):
            if mask[b][t]:
                length += 1
        if length == 0:
            warnings.warn("a row without any word")
        for t in range(length):
            result[b, t] = inputs[b, length - 1 - t]
    return result

# %% q2-bidirectional
import math


def bidirectional(inputs, mask, forward, backward):
    inputs = np.asarray(inputs, dtype=np.float64)
    batch, time, features = inputs.shape
    units = len(forward["b"])
    print("sentences:", batch, "longest:", time)
    result = np.full((batch, time, 2 * units), 99.0)
    for b in range(batch):
        length = int(sum(mask[b]))
        h = [0.0] * units
        for t in range(length):
            new = []
            for u in range(units):
                total = float(forward["b"][u])
                for f in range(features):
                    total += inputs[b, t, f] * forward["W"][f][u]
                for v in range(units):
                    total += h[v] * forward["U"][v][u]
                new.append(math.tanh(total))
            h = new
            for u in range(units):
                result[b, t, u] = h[u]
        h = [0.0] * units
        t = length - 1
        while t >= 0:
            new = []
            for u in range(units):
                total = float(backward["b"][u])
                for f in range(features):
                    total += inputs[b, t, f] * backward["W"][f][u]
                for v in range(units):
                    total += h[v] * backward["U"][v][u]
                new.append(math.tanh(total))
            h = new
            for u in range(units):
                result[b, t, units + u] = h[u]
            t = t - 1
    return result

# %% q3-stacked
def stacked(inputs, mask, weights):
    all_outputs = []
    number = 0
    below = inputs
    while number < len(weights):
        layer = weights[number]
        print("layer", number + 1, "reads", np.shape(below))
        out = both_directions(below, mask, layer["forward"], layer["backward"])
        all_outputs.append(out)
        below = out
        number += 1
    return all_outputs

# %% q4-train
import warnings

warnings.warn("this may take a while")
keras.utils.set_random_seed(2026)
bank_tagger = models.TokenTagger(len(bank_vocabulary), 4, 32, 32, "lstm", 1, "both")
bank_tagger.compile(optimizer=keras.optimizers.Adam(0.01))
generator = np.random.default_rng(0)
for epoch in range(BANK_EPOCHS):
    order = generator.permutation(len(bank_ids))
    losses = []
    for start in range(0, len(order), 32):
        rows = order[start : start + 32]
        losses.append(float(bank_tagger.train_on_batch(bank_ids[rows], bank_labels[rows])))
    print("epoch", epoch + 1, "loss", sum(losses) / len(losses))

# %% q6-final
def final_states(outputs, mask):
    outputs = np.array(outputs, dtype=np.float64)
    rows = []
    for b in range(len(outputs)):
        last = -1
        for t in range(len(mask[b])):
            if mask[b][t]:
                last = t
        units = len(outputs[b][0]) // 2
        vector = []
        for u in range(units):
            vector.append(outputs[b][last][u])
        for u in range(units, 2 * units):
            vector.append(outputs[b][0][u])
        rows.append(vector)
    return np.array(rows)

# %% q7-mcc
import warnings
import math


def matthews(predictions, labels):
    tp = tn = fp = fn = 0
    for p, t in zip(predictions, labels):
        p, t = int(p), int(t)
        if p == 1 and t == 1:
            tp += 1
        elif p == 0 and t == 0:
            tn += 1
        elif p == 1:
            fp += 1
        else:
            fn += 1
    print("tp", tp, "tn", tn, "fp", fp, "fn", fn)
    try:
        return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    except ZeroDivisionError:
        warnings.warn("only one class")
        return 0

# %% q8-train
judge = models.SequenceClassifier(len(judged_vocabulary), 2, 64, 48, "elman", 1, "both")
judge.compile(
    optimizer=keras.optimizers.Adam(0.003),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
print("training with", len(judged_ids), "sentences")
history = judge.fit(
    judged_ids, judged_labels, epochs=JUDGE_EPOCHS, batch_size=32, verbose=0, validation_split=0.05
)
print(history.history["val_accuracy"])

# %% q9-cosine
import math


def cosine_similarity(first, second):
    result = []
    for u, v in zip(first, second):
        product = uu = vv = 0.0
        for a, b in zip(u, v):
            product += float(a) * float(b)
            uu += float(a) ** 2
            vv += float(b) ** 2
        if uu == 0 or vv == 0:
            print("a vector of zeros")
            result.append(0.0)
        else:
            result.append(product / (math.sqrt(uu) * math.sqrt(vv)))
    return np.array(result)

# %% q10-threshold
def best_threshold(similarities, labels):
    best, most_right = None, -1
    for candidate in sorted(list(similarities) + [2.0]):
        right = 0
        for s, label in zip(similarities, labels):
            decision = 1 if s >= candidate else 0
            if decision == label:
                right += 1
        if right > most_right:
            best, most_right = candidate, right
    print("best threshold", best, "with", most_right, "right")
    return best

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    right = count = 0
    for b in range(len(gold)):
        for t in range(len(gold[b])):
            if not mask[b][t]:
                continue
            count += 1
            if predicted[b][t] == gold[b][t]:
                right += 1
    print(right, "of", count)
    return right / count

# %% q13-spans
def entity_spans(tags):
    spans = []
    t = 0
    while t < len(tags):
        if tags[t] == "O":
            t += 1
            continue
        kind = tags[t][2:]
        end = t + 1
        while end < len(tags) and tags[end] == "I-" + kind:
            end += 1
        spans.append((kind, t, end))
        t = end
    print(tags, spans)
    return spans

# %% q14-f1
import warnings


def entity_f1(predicted, gold):
    right = 0
    number_predicted = 0
    number_gold = 0
    for i in range(len(gold)):
        ours = list(spans_of(predicted[i]))
        theirs = list(spans_of(gold[i]))
        number_predicted += len(ours)
        number_gold += len(theirs)
        for entity in ours:
            if entity in theirs:
                right += 1
    if number_predicted == 0 or number_gold == 0 or right == 0:
        warnings.warn("no entity is right")
        return 0.0
    precision = right / number_predicted
    recall = right / number_gold
    return 2 * precision * recall / (precision + recall)
