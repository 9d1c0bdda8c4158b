"""Vectors from a biLM: the kit beside a plain Keras graph and PyTorch, same weights, same sums.

    python benchmarks/elmo_extraction.py > docs/reports/elmo_extraction.md

The words are drawn by Zipf's law from 20,000 made-up ones, so that the kit meets new
words in each batch, as in a text. PyTorch is left out where it is not installed.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rnnkit.quiet_keras  # noqa: F401  isort: skip
import keras
import tensorflow as tf
from keras import ops
from side_by_side import HAS_TORCH, machine, measure, table

from rnnkit.elmo import BiLM, BiLMOptions, character_ids

FILTERS = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
SIZES = {
    "small": BiLMOptions(memory=1024, projection=128, filters=FILTERS, highways=1),
    "original": BiLMOptions(memory=4096, projection=512, filters=FILTERS, highways=2),
}
WORDS, VOCABULARY = 20, 20_000
Sentences = list[list[str]]


def texts(batch: int, seed: int = 0) -> Iterator[Sentences]:
    """Batches of sentences of `WORDS` words, without end."""
    generator = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    lengths = np.clip(generator.poisson(6, VOCABULARY), 1, 20)
    words = ["".join(generator.choice(letters, size=length)) for length in lengths]
    chances = 1 / np.arange(3, VOCABULARY + 3)
    chances /= chances.sum()
    while True:
        drawn = generator.choice(VOCABULARY, size=(batch, WORDS), p=chances)
        yield [[words[number] for number in row] for row in drawn]


class PlainCell(keras.layers.Layer):
    """The projected LSTM's step, as one writes it for `keras.layers.RNN`."""

    def __init__(self, weights: list[Any], options: BiLMOptions) -> None:
        super().__init__()
        self.state_size = [options.projection, options.memory]
        self.output_size = options.projection
        self.parts = weights
        self.options = options

    def build(self, *shapes: Any) -> None:
        """The weights are given."""
        self.built = True

    def call(self, inputs: Any, states: Any) -> Any:
        """One step."""
        projection, kernel, recurrent, bias = self.parts
        hidden, memory = states
        gates = ops.matmul(inputs, kernel) + ops.matmul(hidden, recurrent) + bias
        i, f, g, o = ops.split(gates, 4, axis=-1)
        memory = ops.sigmoid(f + 1) * memory + ops.sigmoid(i) * ops.tanh(g)
        memory = ops.clip(memory, -3, 3)
        hidden = ops.clip(ops.matmul(ops.sigmoid(o) * ops.tanh(memory), projection), -3, 3)
        return hidden, [hidden, memory]


def plain_keras(bilm: BiLM) -> Callable[[Sentences], np.ndarray]:
    """All layers by `keras.layers.RNN`, characters of every token read anew, in one graph."""
    options = bilm.options
    directions = [
        [
            keras.layers.RNN(
                PlainCell([tf.constant(w) for w in cell.get_weights()], options),
                return_sequences=True,
                go_backwards=backwards,
            )
            for cell in stack.cells
        ]
        for backwards, stack in ((False, bilm.forward_stack), (True, bilm.backward_stack))
    ]

    @tf.function(reduce_retracing=True)
    def run(ids: Any) -> Any:
        vectors = bilm.characters(ids)
        layers = [tf.concat([vectors, vectors], axis=-1)]
        ahead = back = vectors
        for number, (forward, backward) in enumerate(zip(*directions, strict=True)):
            made, turned = forward(ahead), tf.reverse(backward(back), [1])
            skips = options.skip_connections and number
            ahead = made + ahead if skips else made
            back = turned + back if skips else turned
            layers.append(tf.concat([ahead, back], axis=-1))
        return tf.stack(layers, axis=1)

    return lambda sentences: run(tf.constant(character_ids(sentences))).numpy()


def in_torch(bilm: BiLM) -> Callable[[Sentences], np.ndarray]:
    """The same in PyTorch: all products with inputs first, then a loop over the steps."""
    import torch

    def tensor(variable: Any) -> Any:
        return torch.from_numpy(np.array(ops.convert_to_numpy(variable)))

    encoder, options = bilm.characters, bilm.options
    embedding = torch.cat([torch.zeros(1, options.embedding), tensor(encoder.table)])
    kernels = [tensor(kernel).permute(2, 1, 0).contiguous() for kernel in encoder.kernels]
    biases = [tensor(bias) for bias in encoder.biases]
    highways = [[tensor(w) for w in highway.get_weights()] for highway in encoder.highways]
    assert encoder.to_projection is not None
    to_projection = [tensor(w) for w in encoder.to_projection.get_weights()]
    stacks = [
        [[tensor(w) for w in cell.get_weights()] for cell in stack.cells]
        for stack in (bilm.forward_stack, bilm.backward_stack)
    ]

    def words(ids: Any) -> Any:
        characters = embedding[ids.reshape(-1, ids.shape[-1])].transpose(1, 2)
        found = [
            torch.nn.functional.conv1d(characters, kernel, bias).max(dim=-1).values
            for kernel, bias in zip(kernels, biases, strict=True)
        ]
        x = torch.relu(torch.cat(found, dim=-1))
        for gate_kernel, gate_bias, kernel, bias in highways:
            gate = torch.sigmoid(x @ gate_kernel + gate_bias)
            x = gate * torch.relu(x @ kernel + bias) + (1 - gate) * x
        x = x @ to_projection[0] + to_projection[1]
        return x.reshape(*ids.shape[:-1], -1)

    def layer(inputs: Any, weights: list[Any]) -> Any:
        projection, kernel, recurrent, bias = weights
        from_input = (inputs @ kernel + bias).unbind(dim=1)
        hidden = inputs.new_zeros(len(inputs), options.projection)
        memory = inputs.new_zeros(len(inputs), options.memory)
        outputs = []
        for projected in from_input:
            i, f, g, o = torch.addmm(projected, hidden, recurrent).chunk(4, dim=-1)
            memory = torch.sigmoid(f + 1) * memory + torch.sigmoid(i) * torch.tanh(g)
            memory = memory.clamp(-3, 3)
            hidden = ((torch.sigmoid(o) * torch.tanh(memory)) @ projection).clamp(-3, 3)
            outputs.append(hidden)
        return torch.stack(outputs, dim=1)

    def run(sentences: Sentences) -> np.ndarray:
        with torch.inference_mode():
            vectors = words(torch.from_numpy(character_ids(sentences)).long())
            sides = []
            for stack, turned in zip(stacks, (False, True), strict=True):
                below = vectors.flip(1) if turned else vectors
                layers = [below]
                for number, weights in enumerate(stack):
                    made = layer(below, weights)
                    below = made + below if options.skip_connections and number else made
                    layers.append(below)
                sides.append([each.flip(1) if turned else each for each in layers])
            pairs = zip(*sides, strict=True)
            return torch.stack([torch.cat(pair, dim=-1) for pair in pairs], dim=1).numpy()

    return run


def contenders(bilm: BiLM) -> dict[str, Callable[[Sentences], Any]]:
    """Name to what reads sentences."""
    kinds: dict[str, Callable[[Sentences], Any]] = {
        "plain Keras": plain_keras(bilm),
        "rnnkit": bilm.embed,
    }
    if HAS_TORCH:
        kinds["PyTorch"] = in_torch(bilm)
    return kinds


def check_same(kinds: dict[str, Callable[[Sentences], Any]]) -> None:
    """See that all give the same vectors."""
    sentences = next(texts(3, seed=9))
    expected = np.stack(kinds["rnnkit"](sentences))
    for name, run in kinds.items():
        found = np.stack(list(run(sentences)))
        if found.shape != expected.shape:
            found = found[:, :, 1:-1]
        if np.abs(found - expected).max() > 1e-4:
            raise RuntimeError(f"{name} gives other vectors")


def main() -> None:
    """Print all tables."""
    print("# Vectors from a biLM, beside a plain Keras graph and PyTorch\n")
    print("`python benchmarks/elmo_extraction.py`\n")
    print(f"Sentences of {WORDS} words; random weights; {machine()}")
    print("Medians with quartiles; a ratio above 1 is faster.\n")
    for size, options in SIZES.items():
        keras.utils.set_random_seed(0)
        bilm = BiLM(options)
        kinds = contenders(bilm)
        check_same(kinds)
        for _, sentences in zip(range(40), texts(32), strict=False):
            bilm.embed(sentences)  # a text of 25,600 words read before
        for batch, rounds in ((32, 15), (1, 31)):
            print(f"measuring: {size}, {batch} at a time ...", file=sys.stderr)
            steps = {}
            for name, run in kinds.items():
                each = texts(batch, seed=batch)
                steps[name] = lambda run=run, each=each: run(next(each))
            title = (
                f"{size} size, {'one sentence' if batch == 1 else f'{batch} sentences'} at a time"
            )
            print(table(title, measure(steps, rounds), batch * WORDS, "plain Keras"))


if __name__ == "__main__":
    main()
