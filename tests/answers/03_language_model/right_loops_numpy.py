# right: plain Python loops and NumPy float64, verbose, with prints and warnings

# %% q1-windows
def windows(ids, batch, length):
    ids = [int(symbol) for symbol in ids]
    per_stream = (len(ids) - 1) // batch
    print("each stream has", per_stream, "symbols")
    result = []
    for start in range(0, per_stream, length):
        inputs = []
        targets = []
        for row in range(batch):
            begin = row * per_stream + start
            inputs.append(ids[begin : begin + length])
            targets.append(ids[begin + 1 : begin + length + 1])
        result.append((np.array(inputs), np.array(targets)))
    return result

# %% q2-loss
import math
import warnings


def cross_entropy(logits, targets, mask):
    logits = np.asarray(logits, dtype=np.float64)
    batch, time, vocabulary = logits.shape
    total = 0.0
    count = 0
    for b in range(batch):
        for t in range(time):
            if not mask[b][t]:
                continue
            row = logits[b, t]
            largest = max(row)
            if largest > 700:
                warnings.warn("math.exp alone would overflow here")
            summed = 0.0
            for symbol in range(vocabulary):
                summed += math.exp(row[symbol] - largest)
            log_probability = row[targets[b][t]] - largest - math.log(summed)
            total -= log_probability
            count += 1
    print("loss over", count, "symbols")
    return total / count

# %% q3-perplexity
import math


def perplexity(log_probabilities, mask):
    total = 0.0
    count = 0
    for row_of_logs, row_of_mask in zip(log_probabilities, mask):
        for log_probability, real in zip(row_of_logs, row_of_mask):
            if real:
                total += float(log_probability)
                count += 1
    return math.exp(-total / count)

# %% q5-read
def read_text(run, first_state, window_list):
    state = first_state
    rows = None
    for number, (inputs, targets) in enumerate(window_list):
        print("window", number)
        logits, state = run(inputs, state)
        logits = np.array(logits, dtype=np.float64)
        if rows is None:
            rows = [[] for _ in range(len(logits))]
        for b in range(logits.shape[0]):
            for t in range(logits.shape[1]):
                scores = logits[b, t]
                exponentials = np.exp(scores - scores.max())
                probability = exponentials[targets[b][t]] / exponentials.sum()
                rows[b].append(np.log(probability))
    return np.array(rows)

# %% q6-bits
import math


def bits_per_character(log_probabilities, mask):
    bits = []
    for b in range(len(mask)):
        for t in range(len(mask[b])):
            if mask[b][t]:
                bits.append(-float(log_probabilities[b][t]) / math.log(2.0))
    return sum(bits) / len(bits)

# %% q8-temperature
import math


def with_temperature(logits, temperature):
    result = []
    for row in np.asarray(logits, dtype=np.float64):
        scaled = [score / temperature for score in row]
        largest = max(scaled)
        exponentials = [math.exp(score - largest) for score in scaled]
        result.append([value / sum(exponentials) for value in exponentials])
    return result

# %% q9-top-k
def top_k(probabilities, k):
    result = []
    for row in np.asarray(probabilities, dtype=np.float64):
        best = sorted(range(len(row)), key=lambda symbol: row[symbol], reverse=True)[:k]
        total = sum(row[symbol] for symbol in best)
        result.append([row[symbol] / total if symbol in best else 0.0 for symbol in range(len(row))])
    return np.array(result)

# %% q10-top-p
def top_p(probabilities, mass):
    probabilities = np.asarray(probabilities, dtype=np.float64)
    result = np.zeros(probabilities.shape)
    for b in range(len(probabilities)):
        left = list(range(probabilities.shape[1]))
        total = 0.0
        while left and (total < mass or not result[b].any()):
            best = left[0]
            for symbol in left:
                if probabilities[b, symbol] > probabilities[b, best]:
                    best = symbol
            left.remove(best)
            result[b, best] = probabilities[b, best]
            total += probabilities[b, best]
        result[b] = result[b] / total
    return result

# %% q11-generate
def generate(step, state, prompt, length, choose):
    batch, time = prompt.shape
    logits = None
    for position in range(time):
        logits, state = step(prompt[:, position], state)
    written = np.zeros((batch, length), dtype=int)
    for position in range(length):
        chosen = choose(logits)
        written[:, position] = np.asarray(chosen)
        if position < length - 1:
            logits, state = step(chosen, state)
    return written

# %% q13-cells
import math


def ranked_cells(states, inside):
    time, cells = states.shape
    q = [float(value) for value in inside]
    mean_q = sum(q) / time
    strengths = []
    for i in range(cells):
        c = [float(states[t, i]) for t in range(time)]
        mean_c = sum(c) / time
        above = sum((c[t] - mean_c) * (q[t] - mean_q) for t in range(time))
        below = math.sqrt(sum((x - mean_c) ** 2 for x in c) * sum((x - mean_q) ** 2 for x in q))
        strengths.append((abs(above / below), i))
    strengths.sort(reverse=True)
    return [i for strength, i in strengths]

# %% q14-agreement
def agreement_by_attractors(right, wrong, attractors):
    shares = []
    for number in range(4):
        wins = 0
        count = 0
        for i in range(len(right)):
            if attractors[i] == number:
                count = count + 1
                if right[i] > wrong[i]:
                    wins = wins + 1
        print(number, "attractors:", wins, "of", count)
        shares.append(wins / count)
    return shares

# %% q15-last
import math


def last_word_probability(log_probabilities, mask):
    total = 0.0
    for row in range(len(mask)):
        last = None
        for position in range(len(mask[row])):
            if mask[row][position]:
                last = position
        total += math.exp(float(log_probabilities[row][last]))
    return total / len(mask)
