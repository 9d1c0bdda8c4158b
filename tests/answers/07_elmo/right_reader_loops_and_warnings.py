# right: loops in plain Python, prints, a warning for a word that is cut, helpers used again in later cells

# %% q1-characters
import warnings


def word_characters(word, length):
    begin_of_word = 259
    end_of_word = 260
    padding = 261
    numbers = list(word.encode("utf-8"))
    room = length - 2
    if len(numbers) > room:
        warnings.warn(f"the word {word!r} is too long, it is cut")
        numbers = numbers[0:room]
    answer = []
    answer.append(begin_of_word)
    for number in numbers:
        answer.append(number + 1)
    answer.append(end_of_word)
    while len(answer) < length:
        answer.append(padding)
    print(word, "->", answer)
    return answer

# %% q2-losses
def bilm_losses(forward_logits, backward_logits, ids, mask):
    forward_logs = np.array(ops.log_softmax(forward_logits, axis=-1))
    backward_logs = np.array(ops.log_softmax(backward_logits, axis=-1))
    ids = np.array(ids)
    mask = np.array(mask)
    forward_sum = 0
    backward_sum = 0
    forward_count = 0
    backward_count = 0
    for b in range(len(ids)):
        n = 0
        for t in range(len(mask[b])):
            if mask[b, t] == True:
                n = n + 1
        for k in range(n):
            if k + 1 < n:
                forward_sum = forward_sum - forward_logs[b, k, ids[b, k + 1]]
                forward_count = forward_count + 1
            if k - 1 >= 0:
                backward_sum = backward_sum - backward_logs[b, k, ids[b, k - 1]]
                backward_count = backward_count + 1
    print("predictions:", forward_count, backward_count)
    return forward_sum / forward_count, backward_sum / backward_count

# %% q3-representations
def representations(tokens, forward, backward):
    number_of_layers = len(forward)
    time = len(tokens)
    answer = []
    layer_0 = []
    for k in range(time):
        layer_0.append(np.concatenate([tokens[k], tokens[k]]))
    answer.append(layer_0)
    for j in range(number_of_layers):
        layer = []
        for k in range(time):
            from_left = forward[j][k]
            from_right = backward[j][time - 1 - k]
            layer.append(np.concatenate([from_left, from_right]))
        answer.append(layer)
    answer = np.array(answer)
    print("representations:", answer.shape)
    return answer

# %% q4-mix
def scalar_mix(layers, w, gamma):
    number_of_layers = layers.shape[1]
    largest = ops.max(w)
    total = 0
    for j in range(number_of_layers):
        total = total + ops.exp(w[j] - largest)
    answer = 0
    for j in range(number_of_layers):
        s_j = ops.exp(w[j] - largest) / total
        answer = answer + s_j * layers[:, j, :, :]
    return gamma * answer

# %% q5-penalty
def mix_penalty(w, strength):
    total = 0
    for j in range(w.shape[0]):
        total = total + ops.square(w[j])
    return strength * total

# %% q6-batch
def padded_layers(vectors):
    longest = 0
    for each in vectors:
        if each.shape[1] > longest:
            longest = each.shape[1]
    layers_count, _, size = vectors[0].shape
    all_vectors = []
    mask = []
    for each in vectors:
        words = each.shape[1]
        missing = longest - words
        zeros = np.zeros((layers_count, missing, size))
        all_vectors.append(np.concatenate([each, zeros], axis=1))
        mask.append([True] * words + [False] * missing)
    print("longest sentence:", longest)
    return np.array(all_vectors), np.array(mask)

# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    if where == "none":
        h = rnn(static, mask)
        return to_logits(h)
    elif where == "input":
        both = ops.concatenate([static, elmo_vectors], axis=2)
        h = rnn(both, mask)
        return to_logits(h)
    elif where == "output":
        h = rnn(static, mask)
        both = ops.concatenate([h, elmo_vectors], axis=2)
        return to_logits(both)
    elif where == "both":
        both = ops.concatenate([static, elmo_vectors], axis=2)
        h = rnn(both, mask)
        both = ops.concatenate([h, elmo_vectors], axis=2)
        return to_logits(both)
    else:
        raise ValueError("unknown place: " + where)

# %% q8-freeze
def freeze_bilm(model):
    for layer in model.bilm.layers:
        layer.trainable = False
        print("frozen:", layer.name)

# %% q9-nearest
import math


def my_cosine(u, v):
    dot = 0.0
    length_u = 0.0
    length_v = 0.0
    for i in range(len(u)):
        dot += float(u[i]) * float(v[i])
        length_u += float(u[i]) ** 2
        length_v += float(v[i]) ** 2
    return dot / (math.sqrt(length_u) * math.sqrt(length_v))


def nearest(query, vectors, count):
    pairs = []
    for n in range(len(vectors)):
        pairs.append((my_cosine(query, vectors[n]), n))
    pairs.sort(reverse=True)
    answer = []
    for cosine, n in pairs[0:count]:
        answer.append(n)
    return answer

# %% q10-meaning
def nearest_meaning(known, meanings, vectors):
    groups = {}
    for vector, meaning in zip(known, meanings):
        if meaning not in groups:
            groups[meaning] = []
        groups[meaning].append(vector)
    means = {}
    for meaning in groups:
        means[meaning] = sum(groups[meaning]) / len(groups[meaning])
    answer = []
    for vector in vectors:
        best = None
        best_cosine = -2
        for meaning in means:
            cosine = my_cosine(vector, means[meaning])
            if cosine > best_cosine:
                best = meaning
                best_cosine = cosine
        answer.append(best)
    print("found", len(answer), "meanings")
    return answer

# %% q12-start
def start_from(language_model, classifier):
    weights = language_model.embedding.get_weights()
    classifier.encoder.embedding.set_weights(weights)
    for i in range(len(language_model.recurrences)):
        weights = language_model.recurrences[i].get_weights()
        classifier.encoder.recurrences[i].set_weights(weights)
        print("copied recurrent layer", i + 1)

# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
my_optimizer = keras.optimizers.Adam(learning_rate=0.003, global_clipnorm=1.0)
judge.compile(optimizer=my_optimizer)
my_history = judge.fit(
    judged_ids,
    judged_labels,
    batch_size=32,
    epochs=JUDGE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Fine-tuning")],
)
print("the last loss:", my_history.history["loss"][-1])
judge.summary()
