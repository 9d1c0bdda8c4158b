"""How often the date model of unit 06 passes its check, over seeds.

The check of question 9 asks for a share of new dates that are read exactly
right. This prints the share over seeds, for the reference, for other right
answers and for wrong ones, in the full and in the short setting.

    python benchmarks/date_thresholds.py --seeds 12 > docs/reports/date_thresholds.md
"""

import argparse
import sys
from collections.abc import Callable
from typing import NamedTuple

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import data, layers, metrics, models, text


class Answer(NamedTuple):
    """A way to make and train the model; None is as in the exercise."""

    units: int = 64
    embedding: int = 32
    attention: Callable[[], layers.Attention] = lambda: layers.AdditiveAttention(64)
    epochs: int | None = None
    shifted: bool = True


ANSWERS = {
    "reference: additive, 64 units, embedding 32": Answer(),
    "multiplicative, 96 units, embedding 48": Answer(96, 48, layers.MultiplicativeAttention),
    "dot product, 64 units, embedding 32": Answer(attention=layers.DotProductAttention),
    "wrong: one epoch": Answer(epochs=1),
    "wrong: reads the symbol that it should write": Answer(shifted=False),
    "wrong: not trained": Answer(epochs=0),
}
# name: dates to learn from, epochs, threshold of the check
SETTINGS = {"short": (3200, 4, 0.15), "full": (6400, 5, 0.6)}


def share_right(answer: Answer, setting: str, seed: int) -> float:
    """Train one model as the exercise does, and let it read 200 new dates."""
    count, epochs, _ = SETTINGS[setting]
    known = data.dates(count, seed=1)
    new = data.dates(200, seed=2, exclude=known.sources)
    reads = text.Vocabulary.from_texts(known.sources)
    writes = text.Vocabulary.from_texts(known.targets)
    source, _ = reads.encode(known.sources, length=36)
    targets, _ = writes.encode(known.targets)
    keras.utils.set_random_seed(seed)
    model = models.EncoderDecoder(
        len(reads),
        len(writes),
        units=answer.units,
        embedding=answer.embedding,
        attention=answer.attention(),
    )
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    edge = np.ones((count, 1), dtype="int32")
    previous = np.hstack([edge * writes.bos_id, targets])
    following = np.hstack([targets, edge * writes.eos_id])
    model.fit(
        {"source": source, "previous": previous if answer.shifted else following},
        following,
        batch_size=64,
        epochs=epochs if answer.epochs is None else answer.epochs,
        verbose=0,
    )
    ids, _ = reads.encode(new.sources, length=36)
    written = writes.decode(model.decode(ids, writes.bos_id, writes.eos_id, 11))
    return metrics.exact_match(written, new.targets)


def main() -> None:
    """Print the table; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    seeds = parser.parse_args().seeds
    print("# Chance in the check of question 9, unit 06\n")
    print(f"`python benchmarks/date_thresholds.py --seeds {seeds}`\n")
    print("Share of 200 new dates that are read exactly right.\n")
    print(head())
    for setting, (*_, threshold) in SETTINGS.items():
        for name, answer in ANSWERS.items():
            shares = []
            for seed in range(seeds):
                shares.append(share_right(answer, setting, seed))
                print(f"{setting}, {name}, seed {seed}: {shares[-1]:.3f}", file=sys.stderr)
            right = not name.startswith("wrong")
            print(row((setting, name), threshold, shares, should_pass=right), flush=True)


if __name__ == "__main__":
    main()
