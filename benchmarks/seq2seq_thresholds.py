"""How often the trained models of unit 05 pass their check, over seeds.

The check of question 11 asks for a share of new sums that are exactly right.
This prints that share over seeds, for right answers and for wrong ones, in the
full and in the short setting, for one row of the table or for all of them.

The same check trains the answer on a small task of its own first, and looks how
far the vector of the last symbol of the sources has moved; see the second table.

    python benchmarks/seq2seq_thresholds.py --seeds 12 > docs/reports/seq2seq_thresholds.md
    python benchmarks/seq2seq_thresholds.py --seeds 12 --task >> docs/reports/seq2seq_thresholds.md
"""

import argparse
from typing import Any, NamedTuple

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import checks, data, metrics, models, text
from rnnkit.checks.trained import MOVED

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
    cut: int | None = None


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
    task = {
        "source": NUMBERS.encode(sums.sources, length=LENGTH)[0],
        "previous": previous,
        "following": written[:, 1:],
        "source_size": len(NUMBERS),
        "target_size": len(NUMBERS),
    }
    model = trained(task, epochs, answer, seed)
    shares = []
    for number in (3, 4):
        new = data.arithmetic(200, digits=(1, 2), operations="+", split="test", seed=number)
        source, _ = NUMBERS.encode(new.sources, length=LENGTH)
        ids = model.decode(source, NUMBERS.bos_id, NUMBERS.eos_id, max_length=4)
        shares.append(metrics.exact_match(NUMBERS.decode(ids), new.targets))
    return min(shares)


def trained(task: dict[str, Any], epochs: int, answer: Answer, seed: int) -> models.EncoderDecoder:
    """Train on a task as the exercise describes it."""
    steps = epochs * int(np.ceil(len(task["source"]) / 32))
    rate = answer.rate or keras.optimizers.schedules.CosineDecay(0.01, steps)
    keras.utils.set_random_seed(seed)
    model = models.EncoderDecoder(task["source_size"], task["target_size"], **answer.model)
    model.compile(
        optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    model.fit(
        {"source": task["source"][:, : answer.cut], "previous": task["previous"]},
        task["following"],
        batch_size=answer.batch_size,
        epochs=epochs if answer.epochs is None else answer.epochs,
        verbose=0,
    )
    return model


def moved_vector(answer: Answer, seed: int) -> float:
    """The largest number in the vector of the last source symbol, after the check's small task.

    Raises:
        AssertionError: The check does not pass for another reason.
    """
    numbers = []

    def train_model(task: dict[str, Any], epochs: int) -> models.EncoderDecoder:
        model = trained(task, epochs, answer, seed)
        vectors = keras.ops.convert_to_numpy(model.source_embedding.embeddings)
        numbers.append(float(np.abs(vectors[task["source"][0, -1]]).max()))
        return model

    try:
        checks.trains_on_its_task(train_model, seed=seed, last_rate=0.0)
    except AssertionError as error:
        if "was never read" not in str(error):
            raise
    return numbers[0]


def print_small_task(seeds: int) -> None:
    """The second table."""
    print(
        "\nThe check's small task: the largest number, without its sign, in the vector of a symbol"
    )
    print("that ends all sources. Before training none is above 0.05, whatever the seed.\n")
    print(head())
    right = {name: answer for name, answer in ANSWERS.items() if not name.startswith("wrong")}
    cut = {"wrong: the sources cut to 8 symbols": Answer(SAME, cut=8)}
    for name, answer in (right | cut).items():
        found = [moved_vector(answer, seed) for seed in range(seeds)]
        print(row(("both", name), MOVED, found, should_pass=name in right), flush=True)


def main() -> None:
    """Print the table, or one row of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--setting", choices=SETTINGS)
    parser.add_argument("--answer", choices=ANSWERS)
    parser.add_argument("--task", action="store_true", help="the table of the check's small task")
    chosen = parser.parse_args()
    if chosen.task:
        print_small_task(chosen.seeds)
        return
    if chosen.answer is None:
        print("# Chance in the check of question 11, unit 05\n")
        command = f"python benchmarks/seq2seq_thresholds.py --seeds {chosen.seeds}"
        print(f"`{command}`, and the second table with `--task`\n")
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
