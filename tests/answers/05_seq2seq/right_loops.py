# right: plain loops over rows and positions, prints and warnings; train_on_batch with 64 units in the training question
# %% q1-vocabulary
import warnings


def build_vocabulary(texts):
    found = []
    for one in texts:
        for character in one:
            if character not in found:
                found.append(character)
    found.sort()
    warnings.warn("the four reserved ids are not in the table")
    table = {}
    next_id = 4
    for character in found:
        table[character] = next_id
        next_id += 1
    print(len(table), "characters")
    return table

# %% q2-encode
def encode_texts(texts, ids):
    longest = 0
    for one in texts:
        if len(one) > longest:
            longest = len(one)
    all_ids = []
    all_real = []
    for one in texts:
        row = []
        real = []
        for position in range(longest):
            if position >= len(one):
                row.append(PAD_ID)
                real.append(False)
            else:
                if one[position] in ids:
                    row.append(ids[one[position]])
                else:
                    print("not known:", repr(one[position]))
                    row.append(UNK_ID)
                real.append(True)
        all_ids.append(row)
        all_real.append(real)
    return np.array(all_ids), np.array(all_real)

# %% q3-shift
def shift_targets(targets, mask):
    targets = np.asarray(targets)
    mask = np.asarray(mask)
    rows, columns = targets.shape
    previous = np.zeros((rows, columns + 1), dtype=int)
    following = np.zeros((rows, columns + 1), dtype=int)
    for row in range(rows):
        length = 0
        for column in range(columns):
            if mask[row, column]:
                length = length + 1
        previous[row, 0] = BOS_ID
        for column in range(length):
            previous[row, column + 1] = targets[row, column]
            following[row, column] = targets[row, column]
        following[row, length] = EOS_ID
    return previous, following

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    inputs = np.array(inputs, dtype=np.float64)
    batch, time, features = inputs.shape
    units = U.shape[0]
    print("encoder: batch", batch, "time", time, "features", features, "units", units)
    context = np.zeros((batch, units))
    for row in range(batch):
        h = np.zeros((1, units))
        for j in range(time):
            if not mask[row, j]:
                break
            h = rnn_step(inputs[row : row + 1, j], h, W, U, b)
        context[row] = h[0]
    return context

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    batch, time, _ = inputs.shape
    states = np.zeros((batch, time, U.shape[0]))
    for row in range(batch):
        s = context[row : row + 1]
        for i in range(time):
            s = rnn_step(inputs[row : row + 1, i], s, W, U, b)
            states[row, i] = s[0]
    return states

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    batch, time, _ = inputs.shape
    states = np.zeros((batch, time, U.shape[0]))
    for row in range(batch):
        s = np.zeros((1, U.shape[0]))
        for i in range(time):
            both = list(inputs[row, i]) + list(context[row])
            s = rnn_step(np.array([both]), s, W, U, b)
            states[row, i] = s[0]
    return states

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    seen = []
    for row in range(len(true)):
        if draws[row] < probability:
            seen.append(int(true[row]))
        else:
            seen.append(int(predicted[row]))
    return seen

# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = []
    for symbol in source:
        whole.append(int(symbol))
    whole.append(sep_id)
    for symbol in target:
        whole.append(int(symbol))
    whole.append(eos_id)
    inputs = []
    targets = []
    mask = []
    for position in range(len(whole) - 1):
        inputs.append(whole[position])
        targets.append(whole[position + 1])
        mask.append(position >= len(source))
    return inputs, targets, mask

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    sentences = [[] for _ in range(batch)]
    finished = [False] * batch
    previous = np.array([BOS_ID] * batch)
    steps = 0
    while steps < max_length and False in finished:
        scores, state = step(previous, state)
        scores = np.asarray(scores)
        steps += 1
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

# %% q10-beam
import math


def beam_search(step, state, width, max_length, power):
    beam = [{"ids": [], "sum": 0.0, "state": state, "complete": False}]
    for number in range(max_length):
        candidates = []
        for hypothesis in beam:
            if hypothesis["complete"]:
                candidates.append(hypothesis)  # it keeps its place in the beam
                continue
            if len(hypothesis["ids"]) == 0:
                previous = BOS_ID
            else:
                previous = hypothesis["ids"][-1]
            scores, new_state = step(previous, hypothesis["state"])
            scores = [float(score) for score in scores]
            largest = max(scores)
            total = 0.0
            for score in scores:
                total += math.exp(score - largest)
            for symbol in range(len(scores)):
                log_p = scores[symbol] - largest - math.log(total)
                candidates.append(
                    {
                        "ids": hypothesis["ids"] + [symbol],
                        "sum": hypothesis["sum"] + log_p,
                        "state": new_state,
                        "complete": symbol == EOS_ID,
                    }
                )
        candidates.sort(key=lambda c: c["sum"])
        candidates.reverse()
        beam = candidates[:width]
        print("step", number + 1, "best so far:", beam[0]["ids"])
    best = None
    for hypothesis in beam:
        score = hypothesis["sum"] / len(hypothesis["ids"]) ** power
        if best is None or score > best[1]:
            best = (hypothesis["ids"], score)
    return best

# %% q11-train
import warnings


def train_model(task, epochs):
    warnings.warn("this may take a while")
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], 64, 24, context="every step"
    )
    model.compile(optimizer=make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    generator = np.random.default_rng(0)
    for epoch in range(epochs):
        order = generator.permutation(len(task["source"]))
        losses = []
        for start in range(0, len(order), 32):
            rows = order[start : start + 32]
            inputs = {"source": task["source"][rows], "previous": task["previous"][rows]}
            losses.append(float(model.train_on_batch(inputs, task["following"][rows])))
        print("epoch", epoch + 1, "of", epochs, "loss", sum(losses) / len(losses))
    return model

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    counts = {}
    right = {}
    for k in range(len(targets)):
        if groups[k] not in counts:
            counts[groups[k]] = 0
            right[groups[k]] = 0
        counts[groups[k]] += 1
        if predictions[k] == targets[k]:
            right[groups[k]] += 1
    shares = {}
    for group in counts:
        shares[group] = right[group] / counts[group]
        print(group, right[group], "of", counts[group])
    return shares
