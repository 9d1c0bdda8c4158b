# right: a beginner's loops in float64 over sentences cut to their length, prints, warnings, a training with verbose names

# %% q1-reverse
def reverse_real(inputs, mask):
    inputs = np.array(inputs)
    mask = np.array(mask)
    answer = np.zeros(inputs.shape)
    for b in range(len(inputs)):
        words = []
        for t in range(len(inputs[b])):
            if mask[b, t]:
                words.append(inputs[b, t])
        words.reverse()
        for t in range(len(words)):
            answer[b, t] = words[t]
    print("turned", len(inputs), "sentences")
    return answer

# %% q2-bidirectional
import warnings


def bidirectional(inputs, mask, forward, backward):
    inputs = np.array(inputs, dtype=np.float64)
    units = len(forward["b"])
    batch, time, features = inputs.shape
    answer = np.zeros((batch, time, 2 * units))
    for b in range(batch):
        n = int(np.sum(mask[b]))
        if n == 0:
            warnings.warn("an empty sentence")
        h = np.zeros((1, units))
        for t in range(0, n):
            h = rnn_step(inputs[b, t].reshape(1, features), h, forward)
            answer[b, t, 0:units] = h[0]
        h = np.zeros((1, units))
        for t in range(n - 1, -1, -1):
            h = rnn_step(inputs[b, t].reshape(1, features), h, backward)
            answer[b, t, units : 2 * units] = h[0]
    return answer

# %% q3-stacked
def stacked(inputs, mask, weights):
    all_outputs = []
    number_of_layers = len(weights)
    for l in range(number_of_layers):
        if l == 0:
            below = inputs
        else:
            below = all_outputs[l - 1]
        print("layer", l, "reads", np.shape(below))
        output = both_directions(below, mask, weights[l]["forward"], weights[l]["backward"])
        all_outputs.append(output)
    return all_outputs

# %% q4-train
my_vocabulary_size = len(bank_vocabulary)
bank_tagger = models.TokenTagger(
    my_vocabulary_size, tags=4, units=32, embedding=32, cell="elman", directions="both"
)
my_optimizer = keras.optimizers.Adam(learning_rate=0.005)
bank_tagger.compile(my_optimizer)
my_history = bank_tagger.fit(bank_ids, bank_labels, batch_size=32, epochs=BANK_EPOCHS, verbose=0)
print(my_history.history["loss"])

# %% q6-final
def final_states(outputs, mask):
    outputs = np.array(outputs)
    units = outputs.shape[2] // 2
    answer = []
    for b in range(len(outputs)):
        last = 0
        for t in range(len(mask[b])):
            if mask[b][t]:
                last = t
        forward_part = list(outputs[b, last, :units])
        backward_part = list(outputs[b, 0, units:])
        answer.append(forward_part + backward_part)
    return np.array(answer)

# %% q7-mcc
import math


def matthews(predictions, labels):
    TP = 0
    TN = 0
    FP = 0
    FN = 0
    for p, l in zip(predictions, labels):
        if p == 1 and l == 1:
            TP += 1
        elif p == 0 and l == 0:
            TN += 1
        elif p == 1 and l == 0:
            FP += 1
        else:
            FN += 1
    print("TP", TP, "TN", TN, "FP", FP, "FN", FN)
    below = (TP + FP) * (TP + FN) * (TN + FP) * (TN + FN)
    if below == 0:
        warnings.warn("the denominator is 0")
        return 0
    return (TP * TN - FP * FN) / math.sqrt(below)

# %% q8-train
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="elman", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(
    judged_ids,
    judged_labels,
    batch_size=32,
    epochs=JUDGE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Acceptability")],
)
judge.summary()

# %% q9-cosine
def cosine_similarity(first, second):
    answer = []
    for u, v in zip(first, second):
        dot = 0.0
        length_u = 0.0
        length_v = 0.0
        for k in range(len(u)):
            dot += float(u[k]) * float(v[k])
            length_u += float(u[k]) ** 2
            length_v += float(v[k]) ** 2
        if length_u == 0 or length_v == 0:
            answer.append(0.0)
        else:
            answer.append(dot / (math.sqrt(length_u) * math.sqrt(length_v)))
    return np.array(answer)

# %% q10-threshold
def best_threshold(similarities, labels):
    candidates = list(similarities)
    candidates.append(max(similarities) + 1)
    best = None
    best_right = -1
    for threshold in candidates:
        right = 0
        for s, l in zip(similarities, labels):
            if s >= threshold and l == 1:
                right = right + 1
            if s < threshold and l == 0:
                right = right + 1
        if right > best_right:
            best = threshold
            best_right = right
    print("right:", best_right, "of", len(labels))
    return best

# %% q12-accuracy
def tag_accuracy(predicted, gold, mask):
    right = 0
    words = 0
    for b in range(len(gold)):
        for t in range(len(gold[b])):
            if mask[b][t]:
                words += 1
                if predicted[b][t] == gold[b][t]:
                    right += 1
    return right / words

# %% q13-spans
def entity_spans(tags):
    entities = []
    position = 0
    while position < len(tags):
        tag = tags[position]
        if tag == "O":
            position = position + 1
            continue
        kind = tag[2:]
        start = position
        position = position + 1
        while position < len(tags) and tags[position] == "I-" + kind:
            position = position + 1
        entities.append((kind, start, position))
    return entities

# %% q14-f1
def entity_f1(predicted, gold):
    right = 0
    number_predicted = 0
    number_gold = 0
    for n in range(len(gold)):
        p = spans_of(predicted[n])
        g = spans_of(gold[n])
        for entity in p:
            if entity in g:
                right = right + 1
        number_predicted = number_predicted + len(p)
        number_gold = number_gold + len(g)
    if number_predicted + number_gold == 0:
        return 0
    return 2 * right / (number_predicted + number_gold)
