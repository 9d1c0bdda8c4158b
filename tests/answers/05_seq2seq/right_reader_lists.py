# right: lists and tuples where the text says integers and booleans; fractions as shares

# %% q2-encode
def encode_texts(texts, ids):
    longest = max(map(len, texts))
    pad = lambda row, filler: list(row) + [filler] * (longest - len(row))
    return (
        [pad([ids.get(c, UNK_ID) for c in text], PAD_ID) for text in texts],
        [pad([True] * len(text), False) for text in texts],
    )

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    states = []
    for row, c in zip(inputs, context):
        states.append([])
        for y in row:
            c = rnn_step(y[None], c.reshape(1, -1), W, U, b)[0]
            states[-1].append(c)
    return states

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return [t if d < probability else p for t, p, d in zip(true, predicted, draws)]

# %% q8-separator
def join(source, target, sep_id, eos_id):
    text = [*source, sep_id, *target, eos_id]
    return text[:-1], text[1:], [False] * len(source) + [True] * (len(target) + 1)

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, total, own in beam:
            scores, new = step(np.array([ids[-1] if ids else BOS_ID]), own)
            for symbol, log in enumerate(log_probabilities(np.reshape(scores, -1))):
                longer.append((ids + [symbol], total + log, new))
        longer = sorted(longer, key=lambda each: -each[1])[:width]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
        if not beam:
            break
    ids, total, _ = max(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return np.array(ids), np.array(total / len(ids) ** power)

# %% q12-groups
from fractions import Fraction


def accuracy_by_group(predictions, targets, groups):
    return {
        np.int64(k): Fraction(sum(p == t for p, t, g in zip(predictions, targets, groups) if g == k), list(groups).count(k))
        for k in set(groups)
    }
