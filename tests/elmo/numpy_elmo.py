"""ELMo in float64 NumPy, from the data sets of a published file, one sentence after the other."""

from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
States = list[tuple[np.ndarray, np.ndarray]]  # for each layer (h, c)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def ids_of(word: str, length: int = 50) -> list[int]:
    """256 begins a sentence, 257 ends one, 258 and 259 a word, 260 is padding; all raised by 1."""
    marks = {"<S>": [256], "</S>": [257]}
    inner = marks.get(word) or list(word.encode())[: length - 2]
    ids = [258, *inner, 259]
    return [number + 1 for number in ids + [260] * (length - len(ids))]


def word_vector(word: str, arrays: Arrays, options: dict[str, Any]) -> np.ndarray:
    settings = options["char_cnn"]
    table = np.concatenate([np.zeros((1, settings["embedding"]["dim"])), arrays["char_embed"]])
    characters = table[ids_of(word, settings["max_characters_per_token"])]
    found = []
    for number, (width, count) in enumerate(settings["filters"]):
        kernel = arrays[f"CNN/W_cnn_{number}"][0]  # (width, d, count)
        best = np.full(count, -np.inf)
        for start in range(len(characters) - width + 1):
            window = characters[start : start + width]
            best = np.maximum(best, np.einsum("wd,wdn->n", window, kernel))
        found.append(best + arrays[f"CNN/b_cnn_{number}"])
    x = np.concatenate(found)
    x = np.maximum(x, 0) if settings["activation"] == "relu" else np.tanh(x)
    for number in range(settings.get("n_highway") or 0):
        part = {key: arrays[f"CNN_high_{number}/{key}"] for key in ("W_carry", "W_transform")}
        bias = {key: arrays[f"CNN_high_{number}/{key}"] for key in ("b_carry", "b_transform")}
        gate = sigmoid(x @ part["W_carry"] + bias["b_carry"])
        made = np.maximum(x @ part["W_transform"] + bias["b_transform"], 0)
        x = gate * made + (1 - gate) * x
    if "CNN_proj/W_proj" in arrays:
        x = x @ arrays["CNN_proj/W_proj"] + arrays["CNN_proj/b_proj"]
    return x


def clip(values: np.ndarray, limit: float | None) -> np.ndarray:
    return values if limit is None else np.clip(values, -limit, limit)


def run_direction(
    direction: int, vectors: list[np.ndarray], arrays: Arrays, lstm: dict[str, Any], states: States
) -> tuple[list[list[np.ndarray]], States]:
    """The outputs of each layer, and the last states."""
    layers, after = [], []
    below = vectors
    for layer in range(lstm["n_layers"]):
        root = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/"
        kernel, bias, projection = (arrays[root + name] for name in ("W_0", "B", "W_P_0"))
        h, c = states[layer]
        outputs = []
        for x in below:
            i, j, f, o = np.split(np.concatenate([x, h]) @ kernel + bias, 4)
            c = clip(sigmoid(f + 1) * c + sigmoid(i) * np.tanh(j), lstm["cell_clip"])
            h = clip((sigmoid(o) * np.tanh(c)) @ projection, lstm["proj_clip"])
            outputs.append(h + x if lstm["use_skip_connections"] and layer else h)
        layers.append(outputs)
        after.append((h, c))
        below = outputs
    return layers, after


def zero_states(options: dict[str, Any]) -> States:
    lstm = options["lstm"]
    zeros = np.zeros(lstm["projection_dim"]), np.zeros(lstm["dim"])
    return [zeros for _ in range(lstm["n_layers"])]


def embed(
    sentence: list[str],
    arrays: Arrays,
    options: dict[str, Any],
    states: tuple[States, States] | None = None,
) -> tuple[np.ndarray, tuple[States, States]]:
    """All layers of one sentence, `(layers + 1, words, 2P)`, and the states after it."""
    before = states or (zero_states(options), zero_states(options))
    x = [word_vector(word, arrays, options) for word in ["<S>", *sentence, "</S>"]]
    ahead, after = run_direction(0, x, arrays, options["lstm"], before[0])
    back, after_back = run_direction(1, x[::-1], arrays, options["lstm"], before[1])
    layers = [[np.concatenate([vector, vector]) for vector in x]]
    for outputs, turned in zip(ahead, back, strict=True):
        pairs = zip(outputs, turned[::-1], strict=True)
        layers.append([np.concatenate(pair) for pair in pairs])
    return np.array(layers)[:, 1:-1], (after, after_back)
