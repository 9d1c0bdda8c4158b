# right: plain Python loops and NumPy float64, verbose, with prints and warnings; dot-product attention and train_on_batch in the training question

# %% q1-shift
import warnings


def shift_targets(targets, mask):
    targets = np.asarray(targets)
    mask = np.asarray(mask)
    number_of_rows, number_of_columns = targets.shape
    print("shift_targets got", targets.shape)
    previous = np.zeros((number_of_rows, number_of_columns + 1), dtype=int)
    following = np.zeros((number_of_rows, number_of_columns + 1), dtype=int)
    for row in range(number_of_rows):
        length = 0
        for column in range(number_of_columns):
            if mask[row, column]:
                length = length + 1
        if length == 0:
            warnings.warn("a row without any symbol")
        previous[row, 0] = BOS_ID
        for column in range(length):
            previous[row, column + 1] = targets[row, column]
            following[row, column] = targets[row, column]
        following[row, length] = EOS_ID
    return previous, following

# %% q2-dot
def dot_product_score(query, keys):
    query = np.array(query, dtype=np.float64)
    keys = np.array(keys, dtype=np.float64)
    batch, source, units = keys.shape
    scores = np.zeros((batch, source))
    for b in range(batch):
        for j in range(source):
            total = 0.0
            for u in range(units):
                total += query[b, u] * keys[b, j, u]
            scores[b, j] = total
    return scores

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    query = np.array(query, dtype=np.float64)
    keys = np.array(keys, dtype=np.float64)
    W = np.array(W, dtype=np.float64)
    print("query", query.shape, "keys", keys.shape, "W", W.shape)
    batch, source, key_units = keys.shape
    scores = np.zeros((batch, source))
    for b in range(batch):
        for j in range(source):
            for q in range(query.shape[1]):
                for k in range(key_units):
                    scores[b, j] += query[b, q] * W[q, k] * keys[b, j, k]
    return scores

# %% q4-additive
import math


def additive_score(query, keys, W, U, v):
    query, keys, W, U, v = (np.asarray(each, dtype=np.float64) for each in (query, keys, W, U, v))
    batch, source, _ = keys.shape
    scores = np.zeros((batch, source))
    for b in range(batch):
        from_query = W.T.dot(query[b])
        for j in range(source):
            from_key = U.T.dot(keys[b, j])
            for u in range(len(v)):
                scores[b, j] += v[u] * math.tanh(from_query[u] + from_key[u])
    return scores

# %% q5-softmax
import math
import warnings


def masked_softmax(scores, mask):
    scores = np.asarray(scores, dtype=np.float64)
    mask = np.asarray(mask, dtype=bool)
    weights = np.zeros(scores.shape)
    for row in range(len(scores)):
        real = [j for j in range(len(scores[row])) if mask[row][j]]
        if not real:
            warnings.warn(f"row {row} has no real position")
            continue
        largest = max(scores[row][j] for j in real)
        if largest > 700:
            warnings.warn("math.exp alone would overflow here")
        total = 0.0
        for j in real:
            weights[row][j] = math.exp(scores[row][j] - largest)
            total = total + weights[row][j]
        for j in real:
            weights[row][j] = weights[row][j] / total
    return weights

# %% q6-context
def context_vector(weights, keys):
    weights = np.asarray(weights, dtype=np.float64)
    keys = np.asarray(keys, dtype=np.float64)
    batch, source, key_units = keys.shape
    context = np.zeros((batch, key_units))
    for b in range(batch):
        for j in range(source):
            context[b] = context[b] + weights[b, j] * keys[b, j]
    return context

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    params = {name: np.asarray(value, dtype=np.float64) for name, value in params.items()}
    state = np.asarray(state, dtype=np.float64)
    keys = np.asarray(keys, dtype=np.float64)
    mask = np.asarray(mask)

    # 1. look
    context, weights = attend(state, keys, mask, params)
    context, weights = np.asarray(context), np.asarray(weights)

    # 2. move
    batch = len(state)
    inputs = []
    for b in range(batch):
        inputs.append(list(params["embedding"][int(previous[b])]) + list(context[b]))
    new_state = np.asarray(gru(np.array(inputs), state, params))

    # 3. write
    vocabulary = len(params["output_bias"])
    logits = np.zeros((batch, vocabulary))
    for b in range(batch):
        both = np.append(new_state[b], context[b])
        for symbol in range(vocabulary):
            logits[b, symbol] = both.dot(params["output"][:, symbol]) + params["output_bias"][symbol]
    return logits, new_state, weights

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    sentences = [[] for _ in range(batch)]
    finished = [False] * batch
    previous = np.array([BOS_ID] * batch)
    number_of_steps = 0
    while number_of_steps < max_length and False in finished:
        scores, state = step(previous, state)
        scores = np.asarray(scores)
        number_of_steps += 1
        for b in range(batch):
            if finished[b]:
                symbol = PAD_ID
            else:
                symbol = 0
                for candidate in range(scores.shape[1]):
                    if scores[b, candidate] > scores[b, symbol]:
                        symbol = candidate
            if symbol == EOS_ID:
                finished[b] = True
            sentences[b].append(symbol)
            previous[b] = symbol
    if False in finished:
        print("not all sentences came to an end:", finished)
    return np.array(sentences)

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

import warnings

warnings.warn("this may take a while")
keras.utils.set_random_seed(2026)
dot = layers.DotProductAttention()
date_model = models.EncoderDecoder(len(source_vocabulary), len(target_vocabulary), 64, 32, dot)
opt = keras.optimizers.Adam(0.005, global_clipnorm=1.0)
date_model.compile(optimizer=opt, loss=models.masked_cross_entropy)
generator = np.random.default_rng(0)
for epoch in range(DATE_EPOCHS):
    order = generator.permutation(len(date_source))
    losses = []
    for start in range(0, len(order), 64):
        rows = order[start : start + 64]
        batch_inputs = {"source": date_source[rows], "previous": date_previous[rows]}
        losses.append(float(date_model.train_on_batch(batch_inputs, date_following[rows])))
    print("epoch", epoch + 1, "of", DATE_EPOCHS, "loss", sum(losses) / len(losses))

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    a = s = a_and_s = a_and_p = 0
    for i in range(len(predicted)):
        for j in range(len(predicted[i])):
            if predicted[i][j]:
                a += 1
                if sure[i][j]:
                    a_and_s += 1
                if possible[i][j]:
                    a_and_p += 1
            if sure[i][j]:
                s += 1
    print("links:", a, "sure:", s, "found:", a_and_s, a_and_p)
    return 1 - (a_and_s + a_and_p) / (a + s)

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    accuracies = []
    for k in range(len(edges) - 1):
        count = 0
        right = 0
        for n in range(len(targets)):
            if len(targets[n]) >= edges[k] and len(targets[n]) < edges[k + 1]:
                count += 1
                if predictions[n] == targets[n]:
                    right += 1
        print(f"band {k}: {right} of {count}")
        accuracies.append(right / count)
    return accuracies

# %% q14-path
def path_length(j, i, n, attention):
    arrows = 1  # x_j to h_j
    if attention:
        arrows += 1  # h_j to c_i
        arrows += 1  # c_i to s_i
    else:
        where = j
        while where < n:
            where += 1
            arrows += 1
        arrows += 1  # h_n to s_1
        where = 1
        while where < i:
            where += 1
            arrows += 1
    arrows += 1  # s_i to y_i
    return arrows

# %% q15-gradient
import math


def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position)
    gradient = tape.gradient(loss, vectors).numpy().astype(np.float64)
    norms = []
    for j in range(gradient.shape[1]):
        total = 0.0
        for u in range(gradient.shape[2]):
            total += gradient[0, j, u] ** 2
        norms.append(math.sqrt(total))
    print(name, position, "largest at source symbol", norms.index(max(norms)))
    return np.array(norms)
