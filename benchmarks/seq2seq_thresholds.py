"""How often the trained models of unit 05 pass their check, over seeds.

The check of question 11 asks for a share of new sums that are exactly right.
This prints that share over seeds, for right answers and for wrong ones, in the
full and in the short setting, for one row of the table or for all of them.

    python benchmarks/seq2seq_thresholds.py --seeds 12 > docs/reports/seq2seq_thresholds.md
"""

import argparse
from typing import Any, NamedTuple

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import data, metrics, models, text

NUMBERS = text.Vocabulary("+=0123456789")
LENGTH = len("999+999=")
# setting: sums, epochs, threshold
SETTINGS = {"short": (4000, 4, 0.25), "full": (8000, 6, 0.42)}


class Answer(NamedTuple):
    """A way to train; None is as in the exercise."""

    model: dict[str, Any]
    batch_size: int = 32
    rate: float | None = None
    epochs: int | None = None


SAME = {"units": 96, "embedding": 32, "context": "every step"}
ANSWERS = {
    "reference: 96 units": Answer(SAME),
    "64 units, context as first state": Answer({"units": 64, "embedding": 24}),
    "128 units, one direction": Answer(
        {"units": 128, "embedding": 32, "bidirectional": False, "context": "every step"}
    ),
    "wrong: one epoch": Answer(SAME, epochs=1),
    "wrong: not trained": Answer(SAME, epochs=0),
}


def share_right(setting: str, answer: Answer, seed: int) -> float:
    """Train as the exercise does, and ask as its test does; the smaller of two shares."""
    count, epochs, _ = SETTINGS[setting]
    sums = data.arithmetic(count, digits=(1, 2), operations="+", seed=1)
    written, _ = NUMBERS.encode(sums.targets, bos=True, eos=True)
    previous = np.where(written == NUMBERS.eos_id, NUMBERS.pad_id, written)[:, :-1]
    steps = epochs * int(np.ceil(count / 32))
    rate = answer.rate or keras.optimizers.schedules.CosineDecay(0.01, steps)
    keras.utils.set_random_seed(seed)
    model = models.EncoderDecoder(len(NUMBERS), len(NUMBERS), **answer.model)
    model.compile(
        optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    model.fit(
        {"source": NUMBERS.encode(sums.sources, length=LENGTH)[0], "previous": previous},
        written[:, 1:],
        batch_size=answer.batch_size,
        epochs=epochs if answer.epochs is None else answer.epochs,
        verbose=0,
    )
    shares = []
    for number in (3, 4):
        new = data.arithmetic(200, digits=(1, 2), operations="+", split="test", seed=number)
        source, _ = NUMBERS.encode(new.sources, length=LENGTH)
        ids = model.decode(source, NUMBERS.bos_id, NUMBERS.eos_id, max_length=4)
        shares.append(metrics.exact_match(NUMBERS.decode(ids), new.targets))
    return min(shares)


def main() -> None:
    """Print the table, or one row of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--setting", choices=SETTINGS)
    parser.add_argument("--answer", choices=ANSWERS)
    chosen = parser.parse_args()
    if chosen.answer is None:
        print("# Chance in the check of question 11, unit 05\n")
        print(f"`python benchmarks/seq2seq_thresholds.py --seeds {chosen.seeds}`\n")
        print("The smaller share of two sets of 200 new sums that are written exactly right.\n")
        print(head())
    for setting in [chosen.setting] if chosen.setting else SETTINGS:
        threshold = SETTINGS[setting][2]
        for name in [chosen.answer] if chosen.answer else ANSWERS:
            shares = [share_right(setting, ANSWERS[name], seed) for seed in range(chosen.seeds)]
            right = not name.startswith("wrong")
            print(row((setting, name), threshold, shares, should_pass=right), flush=True)


if __name__ == "__main__":
    main()
