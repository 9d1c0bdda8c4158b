# wrong: the ready-made functions and layers do the work
# loses: q1-vocabulary-test q2-encode-test q4-encoder-test q5-first-state-test q6-every-step-test q9-greedy-test q10-beam-test q12-groups-test
# says: ready-made
# says: write it yourself
# %% q1-vocabulary
def build_vocabulary(texts):
    symbols = text.Vocabulary.from_texts(texts).symbols
    return {symbol: number for number, symbol in enumerate(symbols, start=4)}


# %% q2-encode
def encode_texts(texts, ids):
    return text.Vocabulary(sorted(ids)).encode(texts)


# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    layer = keras.layers.SimpleRNN(len(b))
    layer.build(inputs.shape)
    layer.set_weights([W, U, b])
    return layer(inputs, mask=ops.convert_to_tensor(mask))


# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    layer = keras.layers.SimpleRNN(len(b), return_sequences=True)
    layer.build(inputs.shape)
    layer.set_weights([W, U, b])
    return layer(inputs, initial_state=ops.convert_to_tensor(context))


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    joined = np.concatenate([inputs, np.repeat(context[:, None], inputs.shape[1], axis=1)], axis=-1)
    cell = layers.ElmanCell(len(b))
    states, _ = layers.Recurrence(cell)(joined)
    return states


# %% q9-greedy
from rnnkit import decoding


def greedy_decode(step, state, batch, max_length):
    return decoding.greedy(step, state, batch, BOS_ID, EOS_ID, max_length)


# %% q10-beam
from rnnkit import decoding


def beam_search(step, state, width, max_length, power):
    def step_for_batch(previous, states):
        scores = [step(int(p), tuple(s)) for p, s in zip(previous, states)]
        return np.stack([s for s, _ in scores]), np.array([new for _, new in scores])

    found = decoding.beam_search(
        step_for_batch, np.array([state]), 1, BOS_ID, EOS_ID, max_length, width, power
    )
    ids = found.best[0]
    return ids[ids != PAD_ID], found.scores[0, 0]


# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    edges = [*sorted(set(groups)), max(groups) + 1]
    rows = metrics.accuracy_by_length(predictions, targets, groups, edges)
    return {low: accuracy for low, _, _, accuracy in rows}
