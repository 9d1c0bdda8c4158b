"""Train the biLM that comes with the kit, and write its card.

    python benchmarks/pretrain_bilm.py CHECKPOINTS

CHECKPOINTS is a folder; a run that was stopped goes on from it. The text is loaded by
`rnnkit.data` (a download, or from RNNKIT_DATA). On 2 processor cores this takes about an
hour. Everything goes to rnnkit/elmo/pretrained/.
"""

import argparse
import itertools
from collections.abc import Callable
from pathlib import Path

import keras

from rnnkit import data
from rnnkit.elmo import BiLM, BiLMOptions, BiLMPerplexity, BiLMTraining, WordList
from rnnkit.elmo.pretrained import FOLDER, write_pretrained
from rnnkit.experiments.elmo_text import (
    Sentences,
    each_once,
    pretraining_sources,
    wikipedia,
)
from rnnkit.models import KneserNey

OPTIONS = BiLMOptions(
    memory=256,
    projection=64,
    filters=((1, 32), (2, 32), (3, 64), (4, 64), (5, 64)),
    highways=1,
)
SEED, BATCH, UNROLL, NEGATIVES = 1, 64, 20, 1024
EPOCHS, DROPOUT, RATE = 10, 0.1, 0.003
VOCABULARY = 10_000
LICENCES = {
    "UD English-EWT, training part": "CC BY-SA 4.0",
    "MASC, training part": "free for education, research and development, commercial too",
    "WikiText-2, test part": "CC BY-SA 3.0",
    "Sentence polarity, training part": "CC BY 4.0",
}
HELD_OUT: dict[str, Callable[[], Sentences]] = {
    "UD English-EWT, dev": lambda: data.load("ud_english", split="valid").words,
    "MASC, validation part": lambda: data.load("masc", split="valid").words,
    "WikiText-2, valid": lambda: wikipedia(data.load("wikitext2", split="valid").text),
}


def kneser_ney(words: WordList, training: Sentences) -> KneserNey:
    """The 5-gram model of the same text, over the same word list."""
    return KneserNey(order=5).fit(ids_of(words, training), vocabulary_size=len(words) + 1)


def ids_of(words: WordList, sentences: Sentences) -> list[list[int]]:
    """Ids with the marks at both ends; 0 stays free for padding."""
    marked = (["<S>", *sentence, "</S>"] for sentence in sentences)
    return [(words.ids(sentence) + 1).tolist() for sentence in marked]


def schedule(training: Sentences, epochs: int) -> keras.optimizers.schedules.CosineDecay:
    """The learning rate: up to `RATE` in 200 steps, then down to 0 by the last step."""
    count = sum(len(sentence) + 2 for sentence in training)  # with both marks
    steps = count // (BATCH * UNROLL) * epochs
    return keras.optimizers.schedules.CosineDecay(
        RATE / 10, steps - 200, warmup_target=RATE, warmup_steps=200
    )


CARD = """# The small biLM that comes with rnnkit

`rnnkit.elmo.load_pretrained()` loads it; this needs no network. `options.json` and
`weights.hdf5` have the published format, so that other tools read them too.
`words.txt` and `softmax.hdf5` are needed to predict words, or to go on training
(`load_pretrained_training()`). All together {megabytes:.1f} MB.

## What it is

A language model in each direction over one encoder of characters, as ELMo has:
{options.layers} LSTM layers with {options.memory} cells, projected to {options.projection}
numbers; a word has {options.layers} + 1 vectors of {width} numbers. It knows {words:,} words by
name, and reads any word by its characters.

## What it was trained on

| text | sentences | words | licence |
| --- | ---: | ---: | --- |
{sizes}

These texts are not part of the kit. Their parts for validation and test were not read, so
that taggers and classifiers can be compared on them; of WikiText-2, whose training part is
larger than the others together, the test part was read and the valid part held out.
A sentence that stands there twice was read once.

## How

`python benchmarks/pretrain_bilm.py CHECKPOINTS`, seed {seed}: {epochs} epochs, {steps:,} steps of
{batch} × {unroll} words in each direction, carried states, sampled softmax with {negatives:,}
draws, dropout {dropout:g}, Adam with a rate up to {rate:g} that falls to 0. About 40 minutes
on 2 processor cores.

## How well it predicts

Perplexity of held-out text, each sentence for itself: lower is better. All three
predict the same words; what the word list does not know counts as one unknown word.

The 5-gram model (Kneser-Ney) was fitted to the same text with the same word list.

| held-out text | forward half | backward half | 5-gram | unknown words |
| --- | ---: | ---: | ---: | ---: |
{figures}

## What not to expect

It has seen about a thousandth of the text of the published models. It knows common
words well and rare ones little, and repeats what its texts say, their errors
and prejudices included. It is made for teaching, and for no decisions about people.

## Licence

CC BY-SA 4.0, because of its texts. Name rnnkit, Universal Dependencies (English-EWT),
the American National Corpus (MASC), Wikipedia's authors (WikiText-2), and Pang and Lee.
"""


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    arguments = parser.parse_args()

    texts = pretraining_sources(quiet=False)
    training = list(itertools.chain.from_iterable(texts.values()))
    held_out = {name: each_once(load()) for name, load in HELD_OUT.items()}
    words = WordList.from_sentences(training, minimum_count=3, maximum_size=VOCABULARY)
    count = sum(map(len, training))
    print(f"{len(training):,} sentences, {count:,} words; {len(words):,} in the list", flush=True)

    keras.utils.set_random_seed(SEED)
    bilm = BiLM(OPTIONS, dropout=DROPOUT)
    optimizer = keras.optimizers.Adam(
        schedule(training, arguments.epochs), global_clipnorm=5.0 * UNROLL
    )
    trainer = BiLMTraining(
        bilm, words, BATCH, UNROLL, negatives=NEGATIVES, optimizer=optimizer, seed=SEED
    )
    results = trainer.fit(
        training,
        epochs=arguments.epochs,
        validation=next(iter(held_out.values())),
        checkpoint=arguments.checkpoints,
        every=500,
    )
    write_pretrained(trainer)
    counting = kneser_ney(words, training)
    rows = []
    for name, sentences in held_out.items():
        print(f"measuring {name}", flush=True)
        rows.append(
            (name, trainer.perplexity(sentences), counting.perplexity(ids_of(words, sentences)))
        )
    (FOLDER / "README.md").write_text(
        card(texts, words, results[-1].step, arguments.epochs, rows), encoding="utf-8"
    )
    print(f"Written to {FOLDER}")


def card(
    texts: dict[str, Sentences],
    words: WordList,
    steps: int,
    epochs: int,
    rows: list[tuple[str, BiLMPerplexity, float]],
) -> str:
    """The model's card, in Markdown."""
    sizes = "\n".join(
        f"| {name} | {len(text):,} | {sum(map(len, text)):,} | {LICENCES[name]} |"
        for name, text in texts.items()
    )
    figures = "\n".join(
        f"| {name} | {ours.forward:.1f} | {ours.backward:.1f} | {theirs:.1f} | {ours.unknown:.1%} |"
        for name, ours, theirs in rows
    )
    megabytes = sum(path.stat().st_size for path in FOLDER.glob("*.[hjt]*")) / 1e6
    return CARD.format(
        sizes=sizes,
        figures=figures,
        megabytes=megabytes,
        steps=steps,
        epochs=epochs,
        words=len(words),
        options=OPTIONS,
        width=2 * OPTIONS.projection,
        batch=BATCH,
        unroll=UNROLL,
        negatives=NEGATIVES,
        dropout=DROPOUT,
        rate=RATE,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
