# right: short NumPy code, comprehensions, results in float64
# %% q1-vocabulary
def build_vocabulary(texts):
    return {symbol: id_ for id_, symbol in enumerate(sorted(set("".join(texts))), 4)}


# %% q2-encode
def encode_texts(texts, ids):
    lengths = np.array([len(each) for each in texts])
    mask = np.arange(lengths.max()) < lengths[:, None]
    rows = np.zeros(mask.shape, "int32")
    rows[mask] = [ids.get(symbol, UNK_ID) for each in texts for symbol in each]
    return rows, mask


# %% q3-shift
def shift_targets(targets, mask):
    wide = np.pad(np.asarray(targets), ((0, 0), (0, 1)))
    previous = np.roll(wide, 1, axis=1)
    previous[:, 0] = BOS_ID
    return previous, wide + EOS_ID * (np.arange(wide.shape[1]) == mask.sum(axis=1)[:, None])


# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    states = [np.zeros((len(inputs), len(b)))]
    for x in np.swapaxes(inputs, 0, 1).astype("float64"):
        states.append(np.tanh(x @ W + states[-1] @ U + b))
    return np.stack(states, axis=1)[np.arange(len(inputs)), mask.sum(axis=1)]


# %% q5-first-state
import itertools


def decode_from_context(inputs, context, W, U, b):
    projected = np.swapaxes(inputs @ W + b, 0, 1)
    states = itertools.accumulate(projected, lambda s, x: np.tanh(x + s @ U), initial=context)
    return np.stack(list(states)[1:], axis=1)


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    features = inputs.shape[-1]
    projected = inputs @ W[:features] + (context @ W[features:] + b)[:, None]
    state, states = np.zeros(context.shape), []
    for x in projected.swapaxes(0, 1):
        states.append(state := np.tanh(x + state @ U))
    return np.stack(states, 1)


# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    forced = draws < probability
    return true * forced + predicted * ~forced


# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = np.r_[source, sep_id, target, eos_id]
    return whole[:-1], whole[1:], np.repeat([False, True], [len(source), len(target) + 1])


# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    written = np.zeros((batch, max_length), int)  # always max_length columns
    alive = np.ones(batch, bool)
    symbol = np.full(batch, BOS_ID)
    for column in range(max_length):
        if not alive.any():
            break
        scores, state = step(symbol, state)
        symbol = np.asarray(scores).argmax(-1) * alive
        written[:, column] = symbol
        alive &= symbol != EOS_ID
    return written


# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, done = [(0.0, [], state)], []
    for _ in range(max_length):
        grown = []
        for total, ids, old in beam:
            scores, new = step(([BOS_ID] + ids)[-1], old)
            logs = log_probabilities(scores) + total
            grown += [(logs[v], ids + [v], new) for v in np.argsort(-logs)[:width].tolist()]
        grown = sorted(grown, key=lambda h: -h[0])[:width]
        done += [h for h in grown if h[1][-1] == EOS_ID]
        beam = [h for h in grown if h[1][-1] != EOS_ID]
    total, ids, _ = max(done + beam, key=lambda h: h[0] / len(h[1]) ** power)
    return ids, total / len(ids) ** power


# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    right, groups = np.array(predictions) == np.array(targets), np.array(groups)
    return {group: right[groups == group].mean() for group in np.unique(groups)}
