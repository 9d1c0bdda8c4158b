"""How often the trained models of unit 02 pass their checks, over seeds.

The check of question 3 asks for a share of new strings whose capital is named,
that of question 14 for a share of eight symbols that are copied. This prints
both over seeds, for right answers and for wrong ones, in the full and in the
short setting. The models of question 14 learn side by side, as those of
`rnnkit.experiments.copying_together` do, and else as in the exercise.

    python benchmarks/lstm_thresholds.py --seeds 12 > docs/reports/lstm_thresholds.md
"""

import argparse
import sys

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import layers, text
from rnnkit.experiments.copying import Net
from rnnkit.experiments.copying_together import (
    EMBEDDINGS,
    first_weights,
    shares_right,
    side_by_side,
    train_side_by_side,
)

LETTERS = text.Vocabulary("ABCDEFGHabcdefgh")
THRESHOLD = 0.6  # of both checks
# setting: letters, epochs
GATES = {"short": (12, 2), "full": (20, 4)}
# answer: units, embedding, whether it is trained
GATE_ANSWERS = {
    "reference: 16 units": (16, 16, True),
    "24 units, embedding 24": (24, 24, True),
    "wrong: not trained": (16, 16, False),
}
# setting: blanks, parts of 50 updates
WAITS = {"short": (59, 5), "full": (99, 8)}
COPY_ANSWERS = {
    "reference: LSTM, forget bias 6": Net("lstm", "orthogonal", 6.0),
    "LSTM, forget bias 5": Net("lstm", "orthogonal", 5.0),
    "LSTM, forget bias 7": Net("lstm", "orthogonal", 7.0),
    "wrong: LSTM, forget bias 1": Net("lstm", "orthogonal", 1.0),
    "wrong: Elman": Net("elman", "orthogonal"),
}


def capitals(count: int, length: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """As in the exercise: strings with one capital, as ids, and the capital."""
    generator = np.random.default_rng(seed)
    symbols = generator.choice(list("abcdefgh"), size=(count, length))
    answers = generator.choice(list("ABCDEFGH"), size=count)
    symbols[np.arange(count), generator.integers(0, length, size=count)] = answers
    strings = ["".join(row) for row in symbols]
    return LETTERS.encode(strings)[0], LETTERS.encode(list(answers))[0][:, 0]


def named(setting: str, answer: str, seed: int) -> float:
    """Train a gate model; the smaller share of new strings: as long, and twice as long."""
    (length, epochs), (units, embedding, trained) = GATES[setting], GATE_ANSWERS[answer]
    inputs, answers = capitals(2048, length, seed=1)
    keras.utils.set_random_seed(seed)
    ids = keras.Input((None,), dtype="int32")
    vectors = keras.layers.Embedding(len(LETTERS), embedding)(ids)
    _, (last,) = layers.Recurrence(layers.SoftGateCell(units))(vectors)
    model = keras.Model(ids, keras.layers.Dense(len(LETTERS))(last))
    model.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    if trained:
        model.fit(inputs, answers, batch_size=32, epochs=epochs, verbose=0)
    shares = []
    for number, times in ((3, 1), (4, 2)):
        new, right = capitals(200, times * length, seed=number)
        shares.append(float(np.mean(np.asarray(model(new)).argmax(axis=-1) == right)))
    return min(shares)


def copied(setting: str, kind: str, seeds: int) -> dict[str, list[float]]:
    """Train all copiers of one kind; the shares of the eight symbols.

    A copier that has all right after a part of 50 updates is finished, as in
    the exercise.
    """
    wait, parts = WAITS[setting]
    answers = {name: net for name, net in COPY_ANSWERS.items() if net.cell == kind}
    _, large = EMBEDDINGS
    beginnings = [
        first_weights(large, net, seed, units=64)
        for net in answers.values()
        for seed in range(seeds)
    ]
    model = side_by_side(kind, beginnings, wait)
    best = np.zeros(len(beginnings))
    for part in range(parts):
        train_side_by_side(model, wait, updates=50)
        best = np.where(best == 1.0, 1.0, shares_right(model, wait))
        print(f"{setting}, {kind}, {50 * (part + 1)} updates: {best.tolist()}", file=sys.stderr)
    return dict(zip(answers, best.reshape(-1, seeds).tolist(), strict=True))


def main() -> None:
    """Print the table; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    seeds = parser.parse_args().seeds
    print("# Chance in the checks of questions 3 and 14, unit 02\n")
    print(f"`python benchmarks/lstm_thresholds.py --seeds {seeds}`\n")
    print(
        "The share that each check asks about: of 200 new strings, as long as those in training or"
    )
    print(
        "twice as long (the smaller share counts), and of eight symbols after the wait. The models"
    )
    print("of question 14 learn side by side, and else as in the exercise.\n")
    print(head("question"))
    for setting in GATES:
        for answer in GATE_ANSWERS:
            shares = [named(setting, answer, seed) for seed in range(seeds)]
            print(row((3, setting, answer), THRESHOLD, shares), flush=True)
    for setting in WAITS:
        for kind in ("lstm", "elman"):
            for answer, shares in copied(setting, kind, seeds).items():
                print(row((14, setting, answer), THRESHOLD, shares), flush=True)


if __name__ == "__main__":
    main()
