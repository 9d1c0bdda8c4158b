"""How often the trained model of unit 07 passes its check, over seeds.

Question 13 asks for Matthews's correlation coefficient on new sentences, of a
classifier that starts from a language model and learns from 100 labels. This
prints the worst and best of it over the seeds, for the reference, for other
right answers and for wrong ones, in both settings. Each seed has a language
model of its own.

    python benchmarks/elmo_thresholds.py --seeds 12 > docs/reports/elmo_thresholds.md
"""

import argparse
import sys
from typing import NamedTuple

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import data, metrics, models, text

LABELS = 100
# setting: sentences for the language model, its epochs, epochs of the classifier, threshold
SETTINGS = {"short": (4000, 6, 30, 0.35), "full": (8000, 10, 60, 0.55)}


class Way(NamedTuple):
    """How a classifier is made and trained.

    Args:
        passes: Whether it should pass the check.
        tries: With how many seeds it is tried; None for all.
        rate: The learning rate.
        batch: The size of a batch.
        dropout: The share of values set to 0.
        start: "language model" or "scratch".
        shuffled: Whether the labels are those of other sentences.
        trained: Whether it is trained at all.
    """

    passes: bool
    tries: int | None = None
    rate: float = 0.003
    batch: int = 32
    dropout: float = 0.0
    start: str = "language model"
    shuffled: bool = False
    trained: bool = True


WAYS = {
    "reference": Way(True),
    "learning rate 0.001": Way(True, rate=0.001),
    "batches of 16": Way(True, tries=4, batch=16),
    "dropout 0.1": Way(True, tries=4, dropout=0.1),
    "wrong: from scratch": Way(False, start="scratch"),
    "wrong: labels of other sentences": Way(False, tries=4, shuffled=True),
    "wrong: not trained": Way(False, tries=4, trained=False),
}
Encoded = tuple[np.ndarray, np.ndarray]


class Task:
    """The sentences of the exercise, in one setting.

    Args:
        setting: "short" or "full".
    """

    def __init__(self, setting: str) -> None:
        self.sentences, self.epochs, self.judge_epochs, self.threshold = SETTINGS[setting]
        plain = data.acceptability(2 * self.sentences, "train", seed=1)
        texts = [
            " ".join(words)
            for words, label in zip(plain.sentences, plain.labels, strict=True)
            if label == 1
        ]
        self.vocabulary = text.Vocabulary.from_texts(texts, text.words, " ")
        self.plain, _ = self.vocabulary.encode(texts, bos=True, eos=True)
        self.train = self.encoded(data.acceptability(LABELS, "train", seed=100))
        # Of the visible and of the hidden test.
        self.tests = [self.encoded(data.acceptability(1000, "test", seed=n)) for n in (2, 3)]

    def encoded(self, sentences: data.AcceptabilitySet) -> Encoded:
        """Ids and labels."""
        texts = [" ".join(words) for words in sentences.sentences]
        ids, _ = self.vocabulary.encode(texts, bos=True, eos=True)
        return ids, np.array(sentences.labels)

    def language_model(self, seed: int) -> models.LanguageModel:
        """Train one as the exercise does."""
        keras.utils.set_random_seed(seed)
        model = models.LanguageModel(len(self.vocabulary), units=64, embedding=32)
        model.compile(
            keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss=models.masked_cross_entropy
        )
        inputs, targets = self.plain[:, :-1], self.plain[:, 1:]
        model.fit(inputs, targets, batch_size=64, epochs=self.epochs, verbose=0)
        return model

    def mcc(self, way: Way, language_model: models.LanguageModel, seed: int) -> float:
        """The lower MCC of the visible and of the hidden test."""
        ids, labels = self.train
        if way.start == "scratch":
            judge = models.SequenceClassifier(
                len(self.vocabulary), classes=2, units=64, embedding=32, directions="forward"
            )
        else:
            judge = models.SequenceClassifier.from_language_model(
                language_model, classes=2, dropout=way.dropout
            )
        if way.shuffled:
            labels = np.random.default_rng(seed).permutation(labels)
        judge.compile(keras.optimizers.Adam(way.rate, global_clipnorm=1.0))
        if way.trained:
            judge.fit(ids, labels, batch_size=way.batch, epochs=self.judge_epochs, verbose=0)
        scores = []
        for new_ids, gold in self.tests:
            found = np.asarray(judge(new_ids)).argmax(axis=-1)
            scores.append(metrics.matthews(found.tolist(), gold.tolist()))
        return float(min(scores))


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--only", choices=SETTINGS)
    options = parser.parse_args()
    print("# Chance in the check of question 13, unit 07\n")
    print(
        f"`python benchmarks/elmo_thresholds.py --seeds {options.seeds}`, on 2 processor cores. "
        "MCC on 1,000 new sentences after training on 100, the lower one of the visible and the "
        "hidden test. Each seed has a language model of its own.\n"
    )
    print(head())
    for setting in SETTINGS:
        if options.only in (None, setting):
            print_rows(setting, options.seeds)


def print_rows(setting: str, seeds: int) -> None:
    """The rows of one setting."""
    task = Task(setting)
    found: dict[str, list[float]] = {name: [] for name in WAYS}
    for seed in range(seeds):
        language_model = task.language_model(seed)
        for name, way in WAYS.items():
            if way.tries is None or seed < way.tries:
                found[name].append(task.mcc(way, language_model, seed))
                print(setting, seed, name, f"{found[name][-1]:.3f}", file=sys.stderr, flush=True)
    for name, way in WAYS.items():
        print(row((setting, name), task.threshold, found[name], way.passes), flush=True)


if __name__ == "__main__":
    main()
