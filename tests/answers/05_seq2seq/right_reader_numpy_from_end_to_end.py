# right: np.unique for the vocabulary (its keys are strings of NumPy), int16 ids and int32 targets, the encoder goes through one loop for each row, the decoders split W and multiply all inputs before the loop, in float64, and go through time from a generator

# %% q1-vocabulary
def build_vocabulary(texts):
    characters = np.unique(list("".join(texts)))
    return dict(zip(characters, range(EOS_ID + 1, EOS_ID + 1 + len(characters))))


# %% q2-encode
def encode_texts(texts, ids):
    lengths = np.fromiter(map(len, texts), dtype="int64")
    mask = np.arange(lengths.max()) < lengths[:, None]
    rows = np.zeros(mask.shape, dtype="int16") + np.int16(PAD_ID)
    rows[mask] = [ids.get(character, UNK_ID) for character in "".join(texts)]
    return rows, mask


# %% q3-shift
def shift_targets(targets, mask):
    targets = np.asarray(targets, dtype="int32")
    previous = np.pad(targets, [(0, 0), (1, 0)], constant_values=BOS_ID)
    following = np.pad(targets, [(0, 0), (0, 1)], constant_values=PAD_ID)
    real = np.pad(np.asarray(mask, dtype=bool), [(0, 0), (1, 0)], constant_values=True)
    after = np.pad(np.asarray(mask, dtype=bool), [(0, 0), (0, 1)], constant_values=False)
    return previous, np.where(real & ~after, np.int32(EOS_ID), following)


# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    contexts = []
    for sentence, real in zip(np.asarray(inputs, dtype="float64"), np.asarray(mask)):
        h = np.zeros(len(np.asarray(b)))
        for x in sentence[: np.count_nonzero(real)]:
            h = rnn_step(x, h, W, U, b)
        contexts.append(h)
    return np.array(contexts)


# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    W, U, b, s = (np.asarray(each, dtype="float64") for each in (W, U, b, context))
    driven = np.asarray(inputs, dtype="float64") @ W + b
    states = np.empty_like(driven)
    for i in range(driven.shape[1]):
        s = np.tanh(driven[:, i] + s @ U)
        states[:, i] = s
    return states


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    inputs, W = np.asarray(inputs, dtype="float64"), np.asarray(W, dtype="float64")
    features = inputs.shape[-1]
    constant = np.asarray(context) @ W[features:] + np.asarray(b)
    driven = inputs @ W[:features] + constant[:, None]

    def run():
        s = 0.0 * constant
        for z in np.moveaxis(driven, 1, 0):
            s = np.tanh(z + s @ np.asarray(U))
            yield s

    return np.moveaxis(np.array(list(run())), 0, 1)


# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    candidates = np.stack([predicted, true])
    chosen = np.less(draws, probability).astype("int64")
    return np.take_along_axis(candidates, chosen[None], axis=0)[0]


# %% q8-separator
def join(source, target, sep_id, eos_id):
    whole = np.fromiter((*source, sep_id, *target, eos_id), dtype="int32")
    pairs = np.lib.stride_tricks.sliding_window_view(whole, 2)
    return pairs[:, 0], pairs[:, 1], np.repeat([False, True], [len(source), len(target) + 1])
