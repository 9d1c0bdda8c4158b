# right: tensors of Keras and TensorFlow come back, a recursion reads the windows, the last step is a look at the state

# %% q1-windows
def windows(ids, batch, length):
    ids = np.asarray(ids)
    count = (len(ids) - 1) // (batch * length)
    places = np.arange(len(ids) - 1).reshape(batch, count, length)
    return [
        (ops.convert_to_tensor(ids[part]), ops.convert_to_tensor(ids[part + 1]))
        for part in places.transpose(1, 0, 2)
    ]

# %% q5-read
def read_text(run, first_state, window_list):
    (inputs, targets), later = window_list[0], window_list[1:]
    logits, state = run(inputs, first_state)
    logs = ops.take_along_axis(
        ops.log_softmax(logits), ops.expand_dims(ops.convert_to_tensor(targets), -1), axis=-1
    )
    logs = ops.squeeze(logs, axis=-1)
    return ops.concatenate([logs, read_text(run, state, later)], axis=1) if later else logs

# %% q8-temperature
def with_temperature(logits, temperature):
    scaled = np.asarray(logits, "float64") / temperature
    return tf.constant(np.exp(scaled - np.logaddexp.reduce(scaled, axis=-1, keepdims=True)))

# %% q10-top-p
def top_p(probabilities, mass):
    rows = []
    for row in np.asarray(probabilities):
        kept, total = np.zeros(len(row)), 0.0
        for symbol in sorted(range(len(row)), key=lambda each: -row[each]):
            if total < mass:
                kept[symbol] = row[symbol]
                total += row[symbol]
        rows.append(kept / total)
    return tf.stack(rows)
