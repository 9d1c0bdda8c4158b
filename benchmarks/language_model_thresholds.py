"""How often the character model of unit 03 passes its check, over seeds.

The check of question 4 asks for a perplexity on new modules, read in rows of
200 characters. This prints the perplexity over seeds, for the reference, for
other right answers and for the best wrong one, a model without a memory, in
the full and in the short setting.

    python benchmarks/language_model_thresholds.py --seeds 12
"""

import argparse
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import data, metrics, models, text


class Setting(NamedTuple):
    """The constants of the exercise."""

    learned: int  # characters
    streams: int
    window: int
    units: int
    epochs: int
    threshold: float


SETTINGS = {
    "short": Setting(100_000, 16, 32, 64, 2, 13),
    "full": Setting(400_000, 32, 64, 160, 4, 9),
}


def carried(cell: str, rate: float, falls: bool) -> Callable[..., Any]:
    """A language model with a state that goes from window to window."""

    def train(setting: Setting, symbols: int, windows: list) -> Any:
        model = models.LanguageModel(symbols, units=setting.units, embedding=64, cell=cell)
        trainer = models.TruncatedBPTT(model, batch=setting.streams)
        steps = setting.epochs * len(windows)
        speed = keras.optimizers.schedules.CosineDecay(rate, steps) if falls else rate
        trainer.compile(
            keras.optimizers.Adam(speed, global_clipnorm=1.0), loss=models.masked_cross_entropy
        )
        trainer.fit_windows(windows, epochs=setting.epochs, verbose=0)
        return model

    return train


def plain(recurrent: bool) -> Callable[..., Any]:
    """A Keras model that begins each window with an empty state, or has no state at all."""

    def train(setting: Setting, symbols: int, windows: list) -> Any:
        layers = [keras.layers.Embedding(symbols, 64), keras.layers.Dense(symbols)]
        if recurrent:
            layers.insert(1, keras.layers.LSTM(setting.units, return_sequences=True))
        model = keras.Sequential(layers)
        model.compile(
            keras.optimizers.Adam(0.004, global_clipnorm=1.0),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        )
        inputs, targets = (np.concatenate(arrays) for arrays in zip(*windows, strict=True))
        model.fit(inputs, targets, batch_size=setting.streams, epochs=setting.epochs, verbose=0)
        return model

    return train


ANSWERS = {
    "reference: LSTM, state carried": carried("lstm", 0.01, falls=True),
    "GRU, state carried, constant rate 0.003": carried("gru", 0.003, falls=False),
    "Elman, state carried": carried("elman", 0.005, falls=True),
    "Keras LSTM, windows in a random order": plain(recurrent=True),
    "wrong: no memory (a bigram)": plain(recurrent=False),
}


def perplexity(answer: str, setting: Setting, seed: int) -> float:
    """Train one model as the exercise does, and let it read new modules."""
    learned = data.program_text("train", setting.learned).text
    characters = text.Vocabulary.from_texts([learned])
    ids = characters.encode([learned])[0][0]
    windows = models.windows(ids, setting.streams, setting.window)
    keras.utils.set_random_seed(seed)
    model = ANSWERS[answer](setting, len(characters), windows)
    new = data.program_text("test").text[24_000:30_000]
    rows = characters.encode([new])[0].reshape(-1, 200)
    logits = keras.ops.log_softmax(model(rows), axis=-1)
    found = np.take_along_axis(np.asarray(logits)[:, :-1], rows[:, 1:, None], axis=-1)
    return metrics.perplexity(found)


def main() -> None:
    """Print the table; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--others", type=int, default=3, help="seeds of all but the reference")
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS))
    arguments = parser.parse_args()
    print("# Chance in the check of question 4, unit 03\n")
    print(f"`python {' '.join(sys.argv)}`\n")
    print("Perplexity on 6,000 characters of new modules, in rows of 200.\n")
    print(head())
    for name in arguments.settings:
        setting = SETTINGS[name]
        for answer in ANSWERS:
            seeds = arguments.seeds if answer.startswith("reference") else arguments.others
            found = []
            for seed in range(seeds):
                found.append(perplexity(answer, setting, seed))
                print(f"{name}, {answer}, seed {seed}: {found[-1]:.2f}", file=sys.stderr)
            line = row((name, answer), setting.threshold, found, at_most=True, digits=2)
            print(line, flush=True)


if __name__ == "__main__":
    main()
