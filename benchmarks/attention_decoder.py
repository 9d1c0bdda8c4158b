"""The attention decoder beside a plain Keras loop and PyTorch.

    python benchmarks/attention_decoder.py > docs/reports/attention_decoder.md

64 sentences, 20 source positions, 20 target steps, 256 units, additive
attention, all weights of the decoder trained. PyTorch is left out where it is
not installed.
"""

import sys

import numpy as np

import rnnkit.quiet_keras  # noqa: F401  isort: skip
import tensorflow as tf
from side_by_side import HAS_TORCH, Steps, keras_steps, machine, measure, table, torch_steps

from rnnkit.layers import AdditiveAttention, AttentionDecoder

BATCH, SOURCE, TARGET, UNITS = 64, 20, 20, 256


class LoopedDecoder(AttentionDecoder):
    """The same sums, with the keys' part of the score made anew at each step."""

    def call(self, inputs, initial_state, keys, mask=None):
        """All steps."""
        state, outputs, weights = initial_state, [], []
        for position in range(inputs.shape[1]):
            step = self.step(inputs[:, position], state, keys, mask)
            state = step.state
            outputs.append(step.output)
            weights.append(step.weights)
        return tf.stack(outputs, axis=1), tf.stack(weights, axis=1)


def arrays() -> dict[str, np.ndarray]:
    """Random inputs; a fifth of the source is padding."""
    generator = np.random.default_rng(0)

    def draw(*shape: int) -> np.ndarray:
        return generator.normal(size=shape).astype("float32")

    lengths = generator.integers(SOURCE * 3 // 5, SOURCE + 1, size=BATCH)
    return {
        "inputs": draw(BATCH, TARGET, UNITS),
        "state": draw(BATCH, UNITS),
        "keys": draw(BATCH, SOURCE, UNITS),
        "mask": np.arange(SOURCE) < lengths[:, None],
    }


def keras_decoder(decoder: AttentionDecoder, jit: bool) -> Steps:
    """The steps of a decoder of ours."""
    given = [tf.constant(value) for value in arrays().values()]
    return keras_steps(decoder, lambda: decoder(*given)[0], jit)


def torch_decoder() -> Steps:
    """The same decoder as PyTorch's users write it: keys projected once, a GRUCell."""
    import torch

    class Decoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query = torch.nn.Linear(UNITS, UNITS, bias=False)
            self.key = torch.nn.Linear(UNITS, UNITS)
            self.score = torch.nn.Linear(UNITS, 1, bias=False)
            self.cell = torch.nn.GRUCell(2 * UNITS, UNITS)

        def forward(self, inputs, state, keys, mask):
            projected, outputs = self.key(keys), []
            for position in range(inputs.shape[1]):
                scores = self.score(torch.tanh(projected + self.query(state)[:, None]))[..., 0]
                weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
                context = torch.bmm(weights[:, None], keys)[:, 0]
                state = self.cell(torch.cat([inputs[:, position], context], dim=-1), state)
                outputs.append(torch.cat([state, context], dim=-1))
            return torch.stack(outputs, dim=1)

    decoder = Decoder()
    given = [torch.from_numpy(value) for value in arrays().values()]
    return torch_steps(decoder, lambda: decoder(*given))


def main() -> None:
    """Print both tables."""
    kinds = {
        "Keras loop": keras_decoder(LoopedDecoder(UNITS, AdditiveAttention(UNITS)), jit=False),
        "rnnkit": keras_decoder(AttentionDecoder(UNITS, AdditiveAttention(UNITS)), jit=False),
        "rnnkit, XLA": keras_decoder(AttentionDecoder(UNITS, AdditiveAttention(UNITS)), jit=True),
    }
    if HAS_TORCH:
        kinds["PyTorch"] = torch_decoder()
    print("# The attention decoder, beside a Keras loop and PyTorch\n")
    print("`python benchmarks/attention_decoder.py`\n")
    print(f"{BATCH} sentences, {SOURCE} source positions, {TARGET} steps, {UNITS} units.")
    print(f"{machine()} Medians with quartiles; a ratio above 1 is faster.\n")
    for index, title in enumerate(("Training step", "Inference")):
        print(f"measuring: {title} ...", file=sys.stderr)
        times = measure({name: steps[index] for name, steps in kinds.items()})
        print(table(title, times, BATCH * TARGET, "Keras loop"))


if __name__ == "__main__":
    main()
