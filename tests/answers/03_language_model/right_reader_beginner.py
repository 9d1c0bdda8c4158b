# right: a beginner's loops in float64, plain lists as results, prints, warnings, a different optimizer

# %% q1-windows
import warnings


def windows(ids, batch, length):
    ids = list(ids)
    number = len(ids) - 1
    if number % (batch * length) != 0:
        warnings.warn("this text cannot be cut well")
    stream_length = number // batch
    all_windows = []
    for w in range(stream_length // length):
        inputs = []
        targets = []
        for row in range(batch):
            input_row = []
            target_row = []
            for column in range(length):
                place = row * stream_length + w * length + column
                input_row.append(int(ids[place]))
                target_row.append(int(ids[place + 1]))
            inputs.append(input_row)
            targets.append(target_row)
        all_windows.append((np.array(inputs), np.array(targets)))
    print(len(all_windows), "windows")
    return all_windows

# %% q2-loss
import math


def cross_entropy(logits, targets, mask):
    logits = np.array(logits, dtype=np.float64)
    targets = np.array(targets)
    mask = np.array(mask)
    total = 0.0
    count = 0
    for b in range(logits.shape[0]):
        for t in range(logits.shape[1]):
            if mask[b, t]:
                z = logits[b, t]
                biggest = max(z)
                s = 0.0
                for v in range(len(z)):
                    s += math.exp(z[v] - biggest)
                log_y = z[targets[b, t]] - (biggest + math.log(s))
                total = total - log_y
                count = count + 1
    return total / count

# %% q3-perplexity
def perplexity(log_probabilities, mask):
    total = 0.0
    N = 0
    rows, columns = np.shape(mask)
    for r in range(rows):
        for c in range(columns):
            if mask[r][c] == True:
                total += float(log_probabilities[r][c])
                N += 1
    print("N =", N)
    return math.exp(-total / N)

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

vocabulary_size = len(characters)
char_model = models.LanguageModel(vocabulary_size, units=CHAR_UNITS, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
number_of_steps = CHAR_EPOCHS * len(learned_windows)
rate = keras.optimizers.schedules.CosineDecay(0.01, number_of_steps)
optimizer = keras.optimizers.Adam(rate, global_clipnorm=1.0)
trainer.compile(optimizer=optimizer, loss=models.masked_cross_entropy)
curve = plots.TrainingCurve("Program text", perplexity=True, every=40)
trainer.fit_windows(learned_windows, epochs=CHAR_EPOCHS, verbose=0, callbacks=[curve])
char_model.summary()

# %% q5-read
def read_text(run, first_state, window_list):
    state = first_state
    rows = None
    for pair in window_list:
        inputs = pair[0]
        targets = np.array(pair[1])
        logits, state = run(inputs, state)
        logits = np.array(logits, dtype=np.float64)
        if rows is None:
            rows = [[] for b in range(len(targets))]
        for b in range(len(targets)):
            for t in range(len(targets[b])):
                z = logits[b, t] - logits[b, t].max()
                log_p = z - np.log(np.sum(np.exp(z)))
                rows[b].append(log_p[targets[b, t]])
    return np.array(rows)

# %% q6-bits
def bits_per_character(log_probabilities, mask):
    all_bits = []
    for row, mask_row in zip(np.array(log_probabilities), np.array(mask)):
        for log_p, real in zip(row, mask_row):
            if real:
                all_bits.append(-log_p / math.log(2))
    return sum(all_bits) / len(all_bits)

# %% q8-temperature
def with_temperature(logits, temperature):
    answer = []
    for row in np.array(logits, dtype=np.float64):
        scaled = [z / temperature for z in row]
        biggest = max(scaled)
        exponentials = [math.exp(z - biggest) for z in scaled]
        answer.append([e / sum(exponentials) for e in exponentials])
    return np.array(answer)

# %% q9-top-k
def top_k(probabilities, k):
    probabilities = np.array(probabilities, dtype=np.float64)
    answer = np.zeros(probabilities.shape)
    for r in range(len(probabilities)):
        row = list(probabilities[r])
        taken = []
        while len(taken) < k and len(taken) < len(row):
            best = None
            for v in range(len(row)):
                if v not in taken:
                    if best is None or row[v] > row[best]:
                        best = v
            taken.append(best)
        total = 0.0
        for v in taken:
            total += row[v]
        for v in taken:
            answer[r, v] = row[v] / total
    return answer

# %% q10-top-p
def top_p(probabilities, mass):
    probabilities = np.array(probabilities)
    answer = np.zeros(probabilities.shape)
    for r in range(len(probabilities)):
        order = sorted(range(probabilities.shape[1]), key=lambda v: probabilities[r, v], reverse=True)
        total = 0.0
        chosen = []
        for v in order:
            chosen.append(v)
            total = total + float(probabilities[r, v])
            if total >= mass:
                break
        for v in chosen:
            answer[r, v] = probabilities[r, v] / total
    return answer

# %% q11-generate
def generate(step, state, prompt, length, choose):
    prompt = np.array(prompt)
    written = []
    # read the beginning
    for t in range(prompt.shape[1]):
        logits, state = step(prompt[:, t], state)
    # write
    for number in range(length):
        new = choose(logits)
        written.append(np.array(new))
        if number < length - 1:
            logits, state = step(new, state)
    print("wrote", len(written), "symbols")
    return np.array(written).T

# %% q13-cells
def ranked_cells(states, inside):
    states = np.array(states, dtype=np.float64)
    inside = np.array(inside, dtype=np.float64)
    scores = []
    q = inside - inside.mean()
    for i in range(states.shape[1]):
        c = states[:, i] - states[:, i].mean()
        above = np.sum(c * q)
        below = math.sqrt(np.sum(c**2)) * math.sqrt(np.sum(q**2))
        scores.append((abs(above / below), i))
    scores.sort(reverse=True)
    return [i for score, i in scores]

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    answer = []
    for number in [0, 1, 2, 3]:
        good = 0
        all_of_them = 0
        for n in range(len(right)):
            if attractors[n] == number:
                all_of_them = all_of_them + 1
                if right[n] > wrong[n]:
                    good = good + 1
        answer.append(good / all_of_them)
    return answer

# %% q15-last
def last_word_probability(log_probabilities, mask):
    total = 0.0
    for story in range(len(mask)):
        t = len(mask[story]) - 1
        while not mask[story][t]:
            t = t - 1
        total = total + math.exp(log_probabilities[story][t])
    return total / len(mask)
