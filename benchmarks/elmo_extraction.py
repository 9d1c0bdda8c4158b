"""Vectors from a biLM: the kit beside a plain Keras graph and PyTorch, same weights, same sums.

    python benchmarks/elmo_extraction.py small       tables of the size that comes with the kit
    python benchmarks/elmo_extraction.py original    of the published size, with random weights
    python benchmarks/elmo_extraction.py memory      the most memory that `rnnkit elmo` takes

Each prints a section of docs/reports/elmo_extraction.md; what is measured is said on stderr.
The words are drawn by Zipf's law from 20,000 made-up ones, so that the kit meets new words in
each batch, as in a text. PyTorch is left out, and the section says so, where it is not installed.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import rnnkit.quiet_keras  # noqa: F401  isort: skip
import keras
import tensorflow as tf
from keras import ops
from side_by_side import HAS_TORCH, machine, measure, table

from rnnkit.elmo import BiLM, BiLMOptions, character_ids

SIZES = {
    "small": BiLMOptions(
        memory=256,
        projection=64,
        filters=((1, 32), (2, 32), (3, 64), (4, 64), (5, 64)),
        highways=1,
    ),
    "original": BiLMOptions(
        memory=4096,
        projection=512,
        filters=((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024)),
        highways=2,
    ),
}
WORDS, VOCABULARY, BATCH = 20, 20_000, 32
# Turns with a batch, and with one sentence: a run of a size takes less than eight minutes.
ROUNDS = {"small": (49, 81), "original": (15, 25)}
IN_A_ROW = {"small": 8, "original": 1}  # batches of a turn: a text is read one after the other
LINES = 100_000  # of the text whose vectors are written to a file
ANEW = "rnnkit, without words known from before"
Sentences = list[list[str]]


def words_of(vocabulary: int, generator: np.random.Generator) -> list[str]:
    """Made-up words, with about as many letters as English ones."""
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    lengths = np.clip(generator.poisson(6, vocabulary), 1, 20)
    return ["".join(generator.choice(letters, size=length)) for length in lengths]


def drawn(vocabulary: int, size: Any, generator: np.random.Generator) -> np.ndarray:
    """Numbers of words, drawn by Zipf's law."""
    chances = 1 / np.arange(3, vocabulary + 3)
    return generator.choice(vocabulary, size=size, p=chances / chances.sum())


def texts(batch: int, seed: int = 0) -> Iterator[Sentences]:
    """Batches of sentences of `WORDS` words, without end."""
    words = words_of(VOCABULARY, np.random.default_rng(0))
    generator = np.random.default_rng(seed)
    while True:
        yield [
            [words[number] for number in row]
            for row in drawn(VOCABULARY, (batch, WORDS), generator)
        ]


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


def anew(bilm: BiLM) -> Callable[[Sentences], Any]:
    """The kit as if each call was its first: no word's vector is known."""
    other = BiLM(bilm.options)
    other.set_weights(bilm.get_weights())

    def run(sentences: Sentences) -> Any:
        other.extraction.words.forget()
        return other.embed(sentences)

    return run


def contenders(bilm: BiLM) -> dict[str, Callable[[Sentences], Any]]:
    """Name to what reads sentences."""
    kinds: dict[str, Callable[[Sentences], Any]] = {
        "plain Keras": plain_keras(bilm),
        "rnnkit": bilm.embed,
        ANEW: anew(bilm),
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


def products_alone(bilm: BiLM, batch: int) -> Callable[[Sentences], Any]:
    """Only the matrix products that the recurrent layers need, both directions side by side."""
    options, positions = bilm.options, WORDS + 2
    stacks = [
        [[tf.constant(w) for w in cell.get_weights()[:3]] for cell in stack.cells]
        for stack in (bilm.forward_stack, bilm.backward_stack)
    ]
    vectors = tf.random.normal((positions * batch, options.projection))

    @tf.function
    def run() -> Any:
        last = []
        for stack in stacks:
            for projection, kernel, recurrent in stack:
                from_input = tf.matmul(vectors, kernel)
                hidden = vectors[:batch]
                for _ in range(positions):
                    gates = tf.matmul(hidden, recurrent)
                    hidden = tf.matmul(gates[:, : options.memory], projection) * 0.01
                last.append(hidden[0, 0] + from_input[0, 0])
        return tf.stack(last)

    return lambda _: run().numpy()


def speed(size: str) -> None:
    """Print the section of a size."""
    keras.utils.set_random_seed(0)
    bilm = BiLM(SIZES[size])
    kinds = contenders(bilm)
    check_same(kinds)
    print(f"## {size.capitalize()} size\n")
    print(f"`python benchmarks/elmo_extraction.py {size}`\n")
    seen = read_before(bilm)
    for batch, rounds in zip((BATCH, 1), ROUNDS[size], strict=True):
        print(f"measuring: {size}, {batch} at a time ...", file=sys.stderr)
        more = {"the products alone": products_alone(bilm, batch)}
        text = list(islice(texts(batch, seed=batch + 1), 2 + rounds * IN_A_ROW[size]))
        steps = {name: of_a_text(run, text) for name, run in (kinds | more).items()}
        times = measure(steps, rounds, IN_A_ROW[size])
        title = "One sentence" if batch == 1 else f"{batch} sentences"
        print(table(f"{title} at a time", times, batch * WORDS, "plain Keras"))
        new = new_words(text, seen)
        print(f"{new:.1%} of the words were new to the kit.\n")
        if batch == 1:
            print(bandwidth(bilm, times))
    print(f"{machine()}\n")


def of_a_text(run: Callable[[Sentences], Any], text: Iterable[Sentences]) -> Callable[[], Any]:
    """A step that reads the next sentences of a text, drawn before, as drawing takes time too."""
    rest = iter(text)
    return lambda: run(next(rest))


def read_before(bilm: BiLM) -> set[str]:
    """Let the kit read 25,600 words, as if in the middle of a text; the different ones."""
    seen: set[str] = set()
    for _, sentences in zip(range(40), texts(BATCH), strict=False):
        words = {word for sentence in sentences for word in sentence}
        if words - seen:
            bilm.extraction.words.look_up([sorted(words - seen)])
        seen |= words
    return seen


def new_words(text: Iterable[Sentences], seen: set[str]) -> float:
    """The share of new words in what was measured; they are not new any more afterwards."""
    new = read = 0
    for number, sentences in enumerate(text):
        words = [word for sentence in sentences for word in sentence]
        if number > 1:  # the first two are not measured
            new += len(set(words) - seen)
            read += len(words)
        seen.update(words)
    return new / read


def bandwidth(bilm: BiLM, times: dict[str, list[float]]) -> str:
    """How fast the weights of the recurrence are read, once for each position."""
    stacks = bilm.forward_stack, bilm.backward_stack
    weights = [
        np.prod(weight.shape)
        for stack in stacks
        for cell in stack.cells
        for weight in (cell.recurrent_kernel, cell.projection)
    ]
    size = 4 * sum(weights)
    reached = ", ".join(
        f"{name} {size * (WORDS + 2) / np.median(each) / 1e9:.1f} GB/s"
        for name, each in times.items()
    )
    return f"Each position needs {size / 1e6:.1f} MB of recurrent weights. Read: {reached}.\n"


def memory() -> None:
    """Print the section on the memory of a whole text."""
    generator = np.random.default_rng(0)
    words = words_of(100_000, generator)
    lengths = np.clip(generator.lognormal(2.8, 0.6, LINES), 1, 150).astype(int)
    numbers = iter(drawn(len(words), lengths.sum(), generator))
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "text"), Path(folder, "vectors.hdf5")
        model = Path(folder, "options.json"), Path(folder, "weights.hdf5")
        BiLM(SIZES["small"]).save(*model)
        with source.open("w") as file:
            for length in lengths:
                file.write(" ".join(words[next(numbers)] for _ in range(length)) + "\n")
        print("measuring: memory ...", file=sys.stderr)
        seconds, peak = run_command(source, output, model)
        print("## Memory\n")
        print("`python benchmarks/elmo_extraction.py memory`\n")
        print(
            f"`rnnkit elmo` on {LINES:,} lines of 1 to {lengths.max()} words, {lengths.sum():,} "
            f"together, {source.stat().st_size / 1e6:.0f} MB of text, with a model of the small "
            f"size: {output.stat().st_size / 1e9:.2f} GB of vectors (all layers) in {seconds:.0f} "
            f"seconds. The most memory that the process had (peak RSS, TensorFlow counted): "
            f"{peak / 1e9:.2f} GB.\n"
        )


def run_command(source: Path, output: Path, model: tuple[Path, Path]) -> tuple[float, int]:
    """Call `rnnkit elmo`; how many seconds it took, and its peak RSS in bytes."""
    import resource

    options, weights = model
    command = [sys.executable, "-c", "from rnnkit.cli import main; raise SystemExit(main())"]
    command += ["elmo", str(source), str(output), "--options", str(options)]
    begin = time.perf_counter()
    subprocess.run(
        [*command, "--weights", str(weights)], check=True, stdout=sys.stderr, stderr=sys.stderr
    )
    seconds = time.perf_counter() - begin
    return seconds, 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def main() -> None:
    """Print a section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("section", choices=[*SIZES, "memory"])
    section = parser.parse_args().section
    memory() if section == "memory" else speed(section)


if __name__ == "__main__":
    main()
