# right: keras.ops throughout, results as tensors
# %% q3-shift
def shift_targets(targets, mask):
    targets = ops.cast(targets, "int32")
    batch, time = ops.shape(targets)
    starts = ops.full((batch, 1), BOS_ID, dtype="int32")
    lengths = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
    places = ops.expand_dims(ops.arange(time + 1), 0)
    wide = ops.pad(targets, [[0, 0], [0, 1]], constant_values=PAD_ID)
    return ops.concatenate([starts, targets], axis=1), ops.where(places == lengths, EOS_ID, wide)


# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    state = ops.zeros((len(inputs), len(b)), dtype="float32")
    for x, real in zip(ops.unstack(inputs, axis=1), ops.unstack(mask, axis=1)):
        new = ops.tanh(ops.matmul(x, W) + ops.matmul(state, U) + b)
        state = ops.where(ops.expand_dims(real, -1), new, state)
    return state


# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    def step(state, x):
        state = ops.tanh(x + ops.matmul(state, U))
        return state, state

    projected = ops.transpose(ops.matmul(inputs, W) + b, (1, 0, 2))
    _, states = ops.scan(step, ops.convert_to_tensor(context), projected)
    return ops.transpose(states, (1, 0, 2))


# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    time = inputs.shape[1]
    joined = ops.concatenate([inputs, ops.repeat(context[:, None], time, axis=1)], axis=-1)
    state, states = ops.zeros_like(context), []
    for x in ops.unstack(joined, axis=1):
        state = ops.tanh(ops.matmul(x, W) + ops.matmul(state, U) + b)
        states.append(state)
    return ops.stack(states, axis=1)


# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    return ops.where(ops.less(draws, probability), true, predicted)


# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = ops.full((batch,), BOS_ID, dtype="int32")
    ended = ops.zeros((batch,), dtype="bool")
    columns = []
    for _ in range(max_length):
        scores, state = step(ops.convert_to_numpy(previous), state)
        best = ops.cast(ops.argmax(scores, axis=-1), "int32")
        previous = ops.where(ended, PAD_ID, best)
        ended = ops.logical_or(ended, previous == EOS_ID)
        columns.append(previous)
        if ops.all(ended):
            break
    return ops.stack(columns, axis=1)


# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [((), 0.0, state)], []
    while beam:
        candidates = []
        for ids, total, old in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, old)
            logs = ops.log_softmax(ops.convert_to_tensor(scores))
            best, symbols = ops.top_k(logs, k=min(width, len(logs)))
            for log_p, symbol in zip(ops.convert_to_numpy(best), ops.convert_to_numpy(symbols)):
                candidates.append(((*ids, int(symbol)), total + float(log_p), new))
        candidates.sort(key=lambda each: -each[1])
        beam = []
        for each in candidates[:width]:
            ended = each[0][-1] == EOS_ID or len(each[0]) == max_length
            (complete if ended else beam).append(each)
    scored = [(list(ids), total / len(ids) ** power) for ids, total, _ in complete]
    return max(scored, key=lambda each: each[1])
