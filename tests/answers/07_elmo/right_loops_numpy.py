# right: plain loops, float64, prints and warnings; train_on_batch for the classifier
# %% q1-characters
import warnings


def word_characters(word, length):
    print("word:", word)
    ids = []
    ids.append(259)
    for number in word.encode("utf-8"):
        if len(ids) == length - 1:
            warnings.warn("the word is cut")
            break
        ids.append(number + 1)
    ids.append(260)
    while len(ids) < length:
        ids.append(261)
    return ids


# %% q2-losses
import math


def bilm_losses(forward_logits, backward_logits, ids, mask):
    def log_p(row, word):
        row = [float(x) for x in row]
        top = max(row)
        return row[word] - top - math.log(sum(math.exp(x - top) for x in row))

    ahead = []
    back = []
    for b in range(len(ids)):
        n = int(mask[b].sum())
        for t in range(n):
            if t + 1 < n:
                ahead.append(-log_p(forward_logits[b][t], ids[b][t + 1]))
            if t > 0:
                back.append(-log_p(backward_logits[b][t], ids[b][t - 1]))
    print(len(ahead), "predictions")
    return sum(ahead) / len(ahead), sum(back) / len(back)


# %% q3-representations
def representations(tokens, forward, backward):
    tokens = np.array(tokens, dtype=np.float64)
    count, time, size = np.shape(forward)
    result = np.zeros((count + 1, time, 2 * size))
    for k in range(time):
        result[0, k, :size] = tokens[k]
        result[0, k, size:] = tokens[k]
        for j in range(count):
            result[j + 1, k, :size] = forward[j][k]
            result[j + 1, k, size:] = backward[j][time - 1 - k]
    print("representations:", result.shape)
    return result


# %% q4-mix
def scalar_mix(layers, w, gamma):
    w = ops.convert_to_tensor(w)
    largest = ops.max(w)
    exponentials = ops.exp(w - largest)
    total = ops.sum(exponentials)
    mixed = None
    for j in range(layers.shape[1]):
        part = (exponentials[j] / total) * ops.convert_to_tensor(layers)[:, j]
        mixed = part if mixed is None else mixed + part
    return gamma * mixed


# %% q5-penalty
def mix_penalty(w, strength):
    total = 0.0
    for j in range(w.shape[0]):
        total = total + w[j] ** 2
    return strength * total


# %% q6-batch
import warnings


def padded_layers(vectors):
    longest = 0
    for each in vectors:
        if each.shape[1] > longest:
            longest = each.shape[1]
    warnings.warn("this makes a large array")
    layers, masks = [], []
    for each in vectors:
        new = each.astype(np.float64)
        missing = longest - each.shape[1]
        zeros = np.zeros((each.shape[0], missing, each.shape[2]))
        layers.append(np.concatenate([new, zeros], axis=1))
        masks.append([True] * each.shape[1] + [False] * missing)
    print("batch of", len(layers))
    return np.array(layers), np.array(masks)


# %% q7-placement
def tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where):
    if where == "none":
        return to_logits(rnn(static, mask))
    elif where == "input":
        joined = ops.concatenate((static, elmo_vectors), axis=2)
        return to_logits(rnn(joined, mask))
    elif where == "output":
        states = rnn(static, mask)
        return to_logits(ops.concatenate((states, elmo_vectors), axis=2))
    elif where == "both":
        joined = ops.concatenate((static, elmo_vectors), axis=2)
        states = rnn(joined, mask)
        return to_logits(ops.concatenate((states, elmo_vectors), axis=2))
    raise ValueError(where)


# %% q8-freeze
def freeze_bilm(model):
    for layer in (model.bilm.characters, model.bilm.forward_stack, model.bilm.backward_stack):
        print("freezing", layer.name)
        layer.trainable = False


# %% q9-nearest
import math


def nearest(query, vectors, count):
    def cosine(u, v):
        uv = sum(float(a) * float(b) for a, b in zip(u, v))
        return uv / math.sqrt(sum(float(a) ** 2 for a in u)) / math.sqrt(sum(float(b) ** 2 for b in v))

    scored = sorted(((cosine(query, row), number) for number, row in enumerate(vectors)), reverse=True)
    return [number for _, number in scored[:count]]


# %% q10-meaning
import collections
import math


def nearest_meaning(known, meanings, vectors):
    groups = collections.defaultdict(list)
    for vector, meaning in zip(known, meanings):
        groups[int(meaning)].append(np.asarray(vector, dtype=np.float64))
    means = {meaning: sum(group) / len(group) for meaning, group in groups.items()}
    result = []
    for vector in vectors:
        best, best_cosine = None, -2.0
        for meaning, mean in means.items():
            norms = math.sqrt((mean**2).sum()) * math.sqrt((np.float64(vector) ** 2).sum())
            cosine = float(np.dot(mean, vector)) / norms
            if cosine > best_cosine:
                best, best_cosine = meaning, cosine
        result.append(best)
    return result


# %% q12-start
def start_from(language_model, classifier):
    old = [language_model.embedding] + list(language_model.recurrences)
    new = [classifier.encoder.embedding] + list(classifier.encoder.recurrences)
    for number in range(len(old)):
        print("copying", old[number].name, "to", new[number].name)
        new[number].set_weights([np.array(w) for w in old[number].get_weights()])
    return None


# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, 2)
judge.compile(optimizer=keras.optimizers.Adam(learning_rate=0.003, clipnorm=1.0))
generator = np.random.default_rng(5)
for epoch in range(JUDGE_EPOCHS):
    order = generator.permutation(len(judged_ids))
    for start in range(0, len(order), 32):
        rows = order[start : start + 32]
        loss = judge.train_on_batch(judged_ids[rows], judged_labels[rows])
print("loss", float(loss))
