"""Recurrent layers and a character language model beside Keras's own and PyTorch's.

    python benchmarks/recurrent_layers.py > docs/reports/recurrent_layers.md

All contenders do the same sums, turn by turn in one run. PyTorch is left out
where it is not installed.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import rnnkit.quiet_keras  # noqa: F401  isort: skip
import keras
import tensorflow as tf
from side_by_side import HAS_TORCH, Steps, keras_steps, machine, measure, table, torch_steps

from rnnkit.layers import Bidirectional, LSTMCell, Recurrence
from rnnkit.models import LanguageModel, masked_cross_entropy

BATCH, TIME, UNITS, VOCABULARY, EMBEDDING = 32, 35, 256, 100, 64


def random_inputs() -> tuple[np.ndarray, np.ndarray]:
    """Inputs, and a mask whose rows are 18 to 35 long."""
    generator = np.random.default_rng(0)
    inputs = generator.normal(size=(BATCH, TIME, UNITS)).astype("float32")
    lengths = generator.integers(TIME // 2 + 1, TIME + 1, size=BATCH)
    lengths[0] = TIME
    return inputs, np.arange(TIME) < lengths[:, None]


def ours_both_ways() -> Bidirectional:
    """A bidirectional LSTM."""
    return Bidirectional(Recurrence(LSTMCell(UNITS)), Recurrence(LSTMCell(UNITS), reverse=True))


def lstm_layers() -> dict[str, Steps]:
    """One LSTM layer, without padding."""
    inputs = tf.constant(random_inputs()[0])
    theirs = keras.layers.LSTM(UNITS, return_sequences=True)
    kinds = {"Keras": keras_steps(theirs, lambda: theirs(inputs), jit=False)}
    for name, jit in (("rnnkit", False), ("rnnkit, XLA", True)):
        ours = Recurrence(LSTMCell(UNITS))
        kinds[name] = keras_steps(ours, lambda layer=ours: layer(inputs)[0], jit)
    if HAS_TORCH:
        kinds["PyTorch"] = torch_layer(bidirectional=False)
    return kinds


def masked_layers() -> dict[str, Steps]:
    """A bidirectional LSTM over sentences of many lengths."""
    inputs, mask = (tf.constant(array) for array in random_inputs())
    theirs = keras.layers.Bidirectional(keras.layers.LSTM(UNITS, return_sequences=True))
    kinds = {"Keras": keras_steps(theirs, lambda: theirs(inputs, mask=mask), jit=False)}
    for name, jit in (("rnnkit", False), ("rnnkit, XLA", True)):
        ours = ours_both_ways()
        kinds[name] = keras_steps(ours, lambda layer=ours: layer(inputs, mask=mask)[0], jit)
    if HAS_TORCH:
        kinds["PyTorch"] = torch_layer(bidirectional=True)
    return kinds


def torch_layer(bidirectional: bool) -> Steps:
    """PyTorch's LSTM; packed where there is padding."""
    import torch

    inputs, mask = random_inputs()
    layer = torch.nn.LSTM(UNITS, UNITS, batch_first=True, bidirectional=bidirectional)
    given: Any = torch.from_numpy(inputs)
    if bidirectional:
        given = torch.nn.utils.rnn.pack_padded_sequence(
            given, torch.from_numpy(mask.sum(axis=1)), batch_first=True, enforce_sorted=False
        )

    def run():
        outputs = layer(given)[0]
        if bidirectional:
            outputs = torch.nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)[0]
        return outputs

    return torch_steps(layer, run)


def language_models() -> dict[str, Callable[[], object]]:
    """One whole training step of a character language model, Adam included."""
    ids = np.random.default_rng(0).integers(1, VOCABULARY, size=(BATCH, TIME + 1))
    plain = keras.Sequential(
        [
            keras.layers.Embedding(VOCABULARY, EMBEDDING),
            keras.layers.LSTM(UNITS, return_sequences=True),
            keras.layers.Dense(VOCABULARY),
        ]
    )
    plain.build((None, TIME))
    steps = {"Keras": training_step(plain, ids, jit=False)}
    for name, jit in (("rnnkit", False), ("rnnkit, XLA", True)):
        model = LanguageModel(VOCABULARY, units=UNITS, embedding=EMBEDDING)
        steps[name] = training_step(model, ids, jit)
    if HAS_TORCH:
        steps["PyTorch"] = torch_training_step(ids)
    return steps


def training_step(model: keras.Model, ids: np.ndarray, jit: bool) -> Callable[[], object]:
    """What `fit` does with one batch."""
    model.compile(keras.optimizers.Adam(), loss=masked_cross_entropy, jit_compile=jit)
    inputs, targets = ids[:, :-1], ids[:, 1:]
    return lambda: float(model.train_on_batch(inputs, targets))


def torch_training_step(ids: np.ndarray) -> Callable[[], object]:
    """The same in PyTorch."""
    import torch

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(VOCABULARY, EMBEDDING)
            self.lstm = torch.nn.LSTM(EMBEDDING, UNITS, batch_first=True)
            self.to_logits = torch.nn.Linear(UNITS, VOCABULARY)

        def forward(self, ids):
            return self.to_logits(self.lstm(self.embedding(ids))[0])

    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    given = torch.from_numpy(ids)

    def step():
        optimizer.zero_grad()
        logits = model(given[:, :-1])
        loss = torch.nn.functional.cross_entropy(
            logits.reshape(-1, VOCABULARY), given[:, 1:].reshape(-1), ignore_index=0
        )
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def products_alone() -> dict[str, Callable[[], object]]:
    """Only the matrix products that a training step of the LSTM layer needs."""
    inputs = tf.constant(random_inputs()[0])
    wide = tf.random.normal((BATCH * TIME, 4 * UNITS))
    kernel, state = tf.random.normal((UNITS, 4 * UNITS)), inputs[:, 0]

    @tf.function
    def products():
        flat = tf.reshape(inputs, (-1, UNITS))
        total = tf.reduce_sum(tf.matmul(flat, kernel)[0])  # x W
        back = wide[:BATCH]
        hidden = state
        for _ in range(TIME):  # h U, one after the other, and the way back
            hidden = tf.matmul(hidden, kernel)[:, :UNITS] * 0.01
            back = tf.tile(tf.matmul(back, kernel, transpose_b=True), [1, 4]) * 0.01
        total += tf.reduce_sum(tf.matmul(flat, wide, transpose_a=True)[0])  # dW
        total += tf.reduce_sum(tf.matmul(flat + 1, wide, transpose_a=True)[0])  # dU
        total += tf.reduce_sum(tf.matmul(wide, kernel, transpose_b=True)[0])  # dx
        return total + hidden[0, 0] + back[0, 0]

    return {"the products alone": lambda: products().numpy()}


def main() -> None:
    """Print all tables."""
    print("# Recurrent layers, beside Keras's own and PyTorch's\n")
    print("`python benchmarks/recurrent_layers.py`\n")
    print(f"{BATCH} sequences of {TIME} steps, {UNITS} units; {machine()}")
    print("Medians with quartiles; a ratio above 1 is faster.\n")
    tokens = BATCH * TIME
    for title, kinds in (
        ("LSTM layer", lstm_layers()),
        ("Masked bidirectional LSTM layer", masked_layers()),
    ):
        for index, what in enumerate(("training step", "inference")):
            print(f"measuring: {title}, {what} ...", file=sys.stderr)
            steps = {name: pair[index] for name, pair in kinds.items()}
            if title == "LSTM layer" and what == "training step":
                steps |= products_alone()
            print(table(f"{title}, {what}", measure(steps), tokens, "Keras"))
    title = f"Character language model, {VOCABULARY} characters, training step with Adam"
    print(f"measuring: {title} ...", file=sys.stderr)
    print(table(title, measure(language_models()), tokens, "Keras"))


if __name__ == "__main__":
    main()
