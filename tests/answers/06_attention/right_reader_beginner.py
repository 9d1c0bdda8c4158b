# right: a beginner's loops and prints in NumPy and plain Python, one sentence at a time, with answers in float64

# %% q1-shift
def shift_targets(targets, mask):
    previous = []
    following = []
    for b in range(len(targets)):
        before = [BOS_ID]
        after = []
        for t in range(len(targets[b])):
            if mask[b][t]:
                before.append(targets[b][t])
                after.append(targets[b][t])
        after.append(EOS_ID)
        while len(before) < len(targets[b]) + 1:
            before.append(PAD_ID)
        while len(after) < len(targets[b]) + 1:
            after.append(PAD_ID)
        previous.append(before)
        following.append(after)
    print("previous", previous)
    print("following", following)
    return np.array(previous), np.array(following)

# %% q2-dot
def dot_product_score(query, keys):
    query = np.array(query)
    keys = np.array(keys)
    scores = np.zeros((keys.shape[0], keys.shape[1]))
    for b in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            scores[b, j] = np.dot(query[b], keys[b, j])
    return scores

# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    query = np.array(query)
    keys = np.array(keys)
    W = np.array(W)
    scores = np.zeros((keys.shape[0], keys.shape[1]))
    for b in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            Wh = W @ keys[b, j]
            scores[b, j] = np.dot(query[b], Wh)
    return scores

# %% q4-additive
def additive_score(query, keys, W, U, v):
    query, keys = np.array(query), np.array(keys)
    W, U, v = np.array(W), np.array(U), np.array(v)
    scores = np.zeros((keys.shape[0], keys.shape[1]))
    for b in range(keys.shape[0]):
        Wq = query[b] @ W
        for j in range(keys.shape[1]):
            Uh = keys[b, j] @ U
            hidden = np.tanh(Wq + Uh)
            scores[b, j] = np.sum(v * hidden)
    return scores

# %% q5-softmax
import math


def masked_softmax(scores, mask):
    scores = np.array(scores)
    mask = np.array(mask)
    weights = np.zeros(scores.shape)
    for b in range(len(scores)):
        largest = max(scores[b][mask[b]])
        total = 0.0
        for j in range(len(scores[b])):
            if mask[b, j]:
                weights[b, j] = math.exp(scores[b, j] - largest)
                total = total + weights[b, j]
        weights[b] = weights[b] / total
    return weights

# %% q6-context
def context_vector(weights, keys):
    weights, keys = np.array(weights), np.array(keys)
    c = np.zeros((keys.shape[0], keys.shape[2]))
    for b in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            c[b] = c[b] + weights[b, j] * keys[b, j]
    return c

# %% q7-step
def decoder_step(previous, state, keys, mask, params):
    embedding = np.array(params["embedding"])
    W_o = np.array(params["output"])
    b_o = np.array(params["output_bias"])
    all_logits = []
    all_states = []
    all_weights = []
    for b in range(len(previous)):
        s = state[b : b + 1]
        c, a = attend(s, keys[b : b + 1], mask[b : b + 1], params)
        c = np.array(c)
        y = embedding[previous[b]].reshape(1, -1)
        s_new = np.array(gru(np.hstack([y, c]), s, params))
        logits = np.hstack([s_new, c]) @ W_o + b_o
        all_logits.append(logits[0])
        all_states.append(s_new[0])
        all_weights.append(np.array(a)[0])
    return np.array(all_logits), np.array(all_states), np.array(all_weights)

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    sentences = [[] for b in range(batch)]
    ended = [False] * batch
    previous = np.array([BOS_ID] * batch)
    number = 0
    while number < max_length:
        scores, state = step(previous, state)
        new = []
        for b in range(batch):
            if ended[b]:
                new.append(PAD_ID)
            else:
                best = int(np.argmax(scores[b]))
                new.append(best)
                if best == EOS_ID:
                    ended[b] = True
        for b in range(batch):
            sentences[b].append(new[b])
        previous = np.array(new)
        number += 1
        print("step", number, "wrote", new)
        if all(ended):
            break
    return np.array(sentences)

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

date_attention = layers.AdditiveAttention(64)
date_model = models.EncoderDecoder(
    len(source_vocabulary), len(target_vocabulary), units=64, embedding=32, attention=date_attention
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
date_history = date_model.fit(
    {"source": date_source, "previous": date_previous},
    date_following,
    batch_size=64,
    epochs=DATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Dates")],
)
print(date_history.history["loss"])
date_model.summary()

# %% q10-aer
def alignment_error_rate(predicted, sure, possible):
    A = 0
    S = 0
    A_and_S = 0
    A_and_P = 0
    for i in range(len(predicted)):
        for j in range(len(predicted[i])):
            if predicted[i][j]:
                A += 1
            if sure[i][j]:
                S += 1
            if predicted[i][j] and sure[i][j]:
                A_and_S += 1
            if predicted[i][j] and possible[i][j]:
                A_and_P += 1
    print("A", A, "S", S, "A and S", A_and_S, "A and P", A_and_P)
    return 1 - (A_and_S + A_and_P) / (A + S)

# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    accuracies = []
    for k in range(len(edges) - 1):
        right = 0
        number = 0
        for n in range(len(targets)):
            if len(targets[n]) >= edges[k] and len(targets[n]) < edges[k + 1]:
                number = number + 1
                if predictions[n] == targets[n]:
                    right = right + 1
        accuracies.append(right / number)
    return accuracies

# %% q14-path
def path_length(j, i, n, attention):
    if attention == True:
        return 4
    arrows = 1  # x_j to h_j
    for position in range(j, n):
        arrows += 1  # h to the next h
    arrows += 1  # h_n to s_1
    for step in range(1, i):
        arrows += 1  # s to the next s
    arrows += 1  # s_i to y_i
    return arrows

# %% q15-gradient
def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position)
    gradient = tape.gradient(loss, vectors)
    gradient = gradient.numpy()[0]
    norms = []
    for j in range(len(gradient)):
        total = 0
        for u in range(len(gradient[j])):
            total += gradient[j][u] ** 2
        norms.append(math.sqrt(total))
    print(name, norms)
    return norms
