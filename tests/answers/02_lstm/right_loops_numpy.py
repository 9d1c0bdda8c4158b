# right: plain loops over units and NumPy float64, verbose, with prints and warnings; trains with train_on_batch

# %% q1-hard
import warnings


def hard_gate(g, x, s):
    g = np.array(g, dtype=np.float64)
    x = np.array(x, dtype=np.float64)
    s = np.array(s, dtype=np.float64)
    result = np.zeros(s.shape)
    for place in np.ndindex(s.shape):
        if g[place] == 1:
            result[place] = x[place]
        else:
            result[place] = s[place]
    print("hard_gate returns", result.shape)
    return result

# %% q2-soft
import math


def my_sigmoid(number):
    return 1.0 / (1.0 + math.exp(-number))


def soft_gate(x, s, W, U, b):
    batch, units = x.shape
    new = np.zeros((batch, units))
    for row in range(batch):
        for j in range(units):
            total = float(b[j])
            for k in range(units):
                total += float(x[row, k]) * float(W[k, j])
                total += float(s[row, k]) * float(U[k, j])
            g = my_sigmoid(total)
            new[row, j] = g * x[row, j] + (1 - g) * s[row, j]
    warnings.warn("this is slow")
    return new

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4

my_input = keras.layers.Input(shape=(None,), dtype="int32", name="letters")
my_embedding = keras.layers.Embedding(input_dim=len(letters), output_dim=16)(my_input)
my_recurrence = layers.Recurrence(layers.SoftGateCell(16))
all_states, final_states = my_recurrence(my_embedding)
my_scores = keras.layers.Dense(len(letters))(all_states[:, -1])
gate_model = keras.Model(inputs=my_input, outputs=my_scores)
gate_model.compile(
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    optimizer=keras.optimizers.Adam(learning_rate=0.01),
    metrics=["accuracy"],
)
for epoch in range(GATE_EPOCHS):
    for start in range(0, len(train_ids), 32):
        loss = gate_model.train_on_batch(train_ids[start : start + 32], train_answers[start : start + 32])
    print("epoch", epoch + 1, "loss", loss)

# %% q5-lstm
import math


def lstm_step(x, h, c, kernel, recurrent_kernel, bias):
    def sigm(v):
        return 1.0 / (1.0 + np.exp(-v))

    x = np.asarray(x, dtype=np.float64)
    h = np.asarray(h, dtype=np.float64)
    c = np.asarray(c, dtype=np.float64)
    n = h.shape[1]
    gates = {}
    for number, name in enumerate(["input", "forget", "candidate", "output"]):
        columns = slice(number * n, (number + 1) * n)
        z = np.dot(x, kernel[:, columns]) + np.dot(h, recurrent_kernel[:, columns]) + bias[columns]
        gates[name] = np.tanh(z) if name == "candidate" else sigm(z)
        print(name, gates[name].shape)
    new_c = gates["forget"] * c + gates["input"] * gates["candidate"]
    new_h = gates["output"] * np.tanh(new_c)
    return [new_h, new_c]

# %% q6-run
def run_lstm(inputs, weights):
    inputs = np.asarray(inputs, dtype=np.float64)
    number_of_sentences, number_of_steps, _ = inputs.shape
    units = weights[1].shape[0]
    output = np.zeros((number_of_sentences, number_of_steps, units))
    for sentence in range(number_of_sentences):
        h = np.zeros((1, units))
        c = np.zeros((1, units))
        for step in range(number_of_steps):
            h, c = lstm_step(inputs[sentence : sentence + 1, step], h, c, weights[0], weights[1], weights[2])
            output[sentence, step] = h[0]
    return output

# %% q7-gru
def gru_step(x, h, kernel, recurrent_kernel, bias):
    n = h.shape[1]

    def sigm(v):
        return 1.0 / (1.0 + np.exp(-v))

    W_z, W_r, W_h = kernel[:, :n], kernel[:, n : 2 * n], kernel[:, 2 * n :]
    U_z, U_r, U_h = recurrent_kernel[:, :n], recurrent_kernel[:, n : 2 * n], recurrent_kernel[:, 2 * n :]
    z = sigm(np.dot(x, W_z) + bias[0, :n] + np.dot(h, U_z) + bias[1, :n])
    r = sigm(np.dot(x, W_r) + bias[0, n : 2 * n] + np.dot(h, U_r) + bias[1, n : 2 * n])
    h_candidate = np.tanh(np.dot(x, W_h) + bias[0, 2 * n :] + r * (np.dot(h, U_h) + bias[1, 2 * n :]))
    new = z * h + (1 - z) * h_candidate
    print("new state", new.shape)
    return new

# %% q8-notation
def keras_weights(W, U, b):
    units, features = W["f"].shape
    kernel = np.zeros((features, 4 * units))
    recurrent_kernel = np.zeros((units, 4 * units))
    bias = np.zeros(4 * units)
    for number, gate in enumerate(["i", "f", "g", "o"]):
        for unit in range(units):
            column = number * units + unit
            bias[column] = b[gate][unit]
            for feature in range(features):
                kernel[feature, column] = W[gate][unit, feature]
            for other in range(units):
                recurrent_kernel[other, column] = U[gate][unit, other]
    return [kernel, recurrent_kernel, bias]

# %% q9-update
def turned_update_gate(kernel, recurrent_kernel, bias):
    kernel = np.array(kernel)
    recurrent_kernel = np.array(recurrent_kernel)
    bias = np.array(bias)
    units = recurrent_kernel.shape[0]
    for array in (kernel, recurrent_kernel, bias):
        for row in range(array.shape[0]):
            for column in range(units):
                array[row, column] = -array[row, column]
    return kernel, recurrent_kernel, bias

# %% q10-count
def weights_count(kind, features, units):
    total = 0
    if kind == "Elman":
        blocks = 1
    elif kind == "GRU":
        blocks = 3
    elif kind == "LSTM":
        blocks = 4
    else:
        raise ValueError(kind)
    for block in range(blocks):
        total += features * units
        total += units * units
        total += units
        if kind == "GRU":
            total += units
    return total

# %% q11-bias
def forget_bias(bias, value):
    bias = list(bias)
    units = len(bias) // 4
    for place in range(units, 2 * units):
        bias[place] = value
    return np.array(bias)

# %% q12-memory
def memory_gradients(forget_gates):
    time, units = forget_gates.shape
    result = np.ones((time, units))
    for t in range(time):
        for k in range(t + 1, time):
            for unit in range(units):
                result[t, unit] = result[t, unit] * forget_gates[k, unit]
    return result

# %% q13-half
import math


def half_life(bias):
    gate = 1.0 / (1.0 + math.exp(-bias))
    print("the gate is", gate)
    return math.log(0.5) / math.log(gate)

# %% q14-copier
candidates = [b for b in (1.0, 3.0, 5.0, 7.0) if (1 / (1 + np.exp(-b))) ** 100 >= 0.5]
print("forget biases that keep half:", candidates)
copier = train_copier(layers.LSTMCell(64, forget_bias=candidates[0]))
