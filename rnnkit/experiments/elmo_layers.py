"""What each layer of a biLM knows, asked by linear probes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rnnkit import data
from rnnkit.experiments.elmo_lab import POS, ElmoLab, Tagged, drawn
from rnnkit.experiments.pseudowords import Pseudoword, parts, pseudowords, real_pseudowords
from rnnkit.experiments.training import check_seeds

SEEDS = (0, 1, 2, 3, 4)
STRENGTHS = (0.003, 0.03, 0.3)  # C of the probes: how little they are held back
PSEUDOWORDS, SENSES, USES = "pseudowords", "word senses", "noun or verb"
STATIC, AROUND = "static vector", "static vectors of the words around"
WINDOW = 2  # words to each side
KIT_COUNTS = {  # all sentences of the sets
    "word_senses": {"train": 96, "valid": 24, "test": 72},
    "nouns_and_verbs": {"train": 576, "valid": 48, "test": 144},
}


class _Setting(NamedTuple):
    sentences: int  # labelled with parts of speech
    tested: int  # sentences, of validation and of test
    pairs: int  # merged to pseudowords
    occurrences: int  # of each word, at most


FULL = _Setting(sentences=300, tested=700, pairs=10, occurrences=150)
SMALL = _Setting(sentences=10, tested=10, pairs=1, occurrences=10)


class LayerProbesResult(NamedTuple):
    """How much a linear probe reads from each kind of vector.

    Args:
        accuracy: For each task and each kind of vector `(seeds,)`: the share of
            words with the right part of speech; of pseudowords, of nouns with
            two meanings and of words with two uses that were told apart, where
            chance is 1/2.
        words: The pairs of words that were merged.
    """

    accuracy: dict[str, dict[str, np.ndarray]]
    words: list[tuple[str, str]]

    def series(self) -> dict[str, list[tuple[float, list[float]]]]:
        """Accuracy against the layer, a curve for each task, for `rnnkit.plots.curves`."""
        return {
            task: [
                (number, values.tolist())
                for number, values in enumerate(
                    values for name, values in kinds.items() if name.startswith("layer")
                )
            ]
            for task, kinds in self.accuracy.items()
        }


def elmo_layer_probes(
    seeds: Sequence[int] = SEEDS,
    lab: ElmoLab | None = None,
    fast: bool | None = None,
    quiet: bool = False,
) -> LayerProbesResult:
    """Compare what each layer knows of a word's part of speech, and of its meaning (S35).

    A linear softmax reads one frozen vector and nothing else. Parts of speech
    are those of UD English-EWT. In the other tasks a form stands for two things,
    so that its static vector is one and the same and can tell nothing, while a
    vector in context can: two nouns merged into one pseudoword ("timeyear") in
    sentences that the biLM has not read; nouns with two meanings ("bank"); and
    words that are a noun or a verb ("walk"), the last two in plain sentences of
    the kit. Beside it the mean of the static vectors of the two words to each
    side, which knows a context too.

    Taught in unit 07, sections s30 and s35.

    Args:
        seeds: For each of them sentences are drawn anew; the probe itself has
            no chance in it.
        lab: The vectors; by default those of the kit's biLM.
        fast: The small setting of a new lab: it shows how it goes, not what is learned.
        quiet: Print nothing.

    Returns:
        The accuracies.

    Raises:
        ValueError: There are no seeds.
    """
    seeds = check_seeds(seeds)
    lab = ElmoLab(fast=fast) if lab is None else lab
    setting = SMALL if lab.fast else FULL
    merged = merged_words(lab)
    accuracy = {
        POS: _part_of_speech(lab, setting, seeds),
        PSEUDOWORDS: _told_apart(lab, setting, merged, seeds),
        SENSES: _told_apart(lab, setting, _kit_words(data.word_senses, lab.fast), seeds),
        USES: _told_apart(lab, setting, _kit_words(data.nouns_and_verbs, lab.fast), seeds),
    }
    if not quiet:
        for task, kinds in accuracy.items():
            for name, values in kinds.items():
                print(f"{task}, {name}: {np.round(values, 3)}", flush=True)
    return LayerProbesResult(accuracy, [each.words for each in merged])


def linear_probe(
    vectors: Sequence[np.ndarray],
    labels: Sequence[np.ndarray],
    strengths: Sequence[float] = STRENGTHS,
) -> float:
    """The share of test examples that a linear softmax labels correctly.

    Args:
        vectors: `(examples, size)`, to learn from, for validation and for test.
        labels: Their labels, `(examples,)` each.
        strengths: Values of scikit-learn's C; the one that is best on the
            validation part is taken.

    Example:

    >>> generator = np.random.default_rng(0)
    >>> labels = [generator.integers(0, 2, 50) for _ in range(3)]
    >>> vectors = [each[:, None] + generator.normal(0, 0.1, (50, 4)) for each in labels]
    >>> linear_probe(vectors, labels)
    1.0
    """
    from sklearn.linear_model import LogisticRegression  # slow to import

    # Numbers of one size for all kinds of vectors, so that C means the same.
    mean, deviation = vectors[0].mean(axis=0), vectors[0].std(axis=0) + 1e-6
    train, valid, test = ((each - mean) / deviation for each in vectors)
    probes = [LogisticRegression(C=each, max_iter=200).fit(train, labels[0]) for each in strengths]
    best = max(probes, key=lambda probe: probe.score(valid, labels[1]))
    return float(best.score(test, labels[2]))


def _part_of_speech(lab: ElmoLab, setting: _Setting, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    task = lab.task(POS)
    fixed = [Tagged(*(rows[: setting.tested] for rows in part)) for part in (task.valid, task.test)]
    found: dict[str, list[float]] = {}
    for seed in seeds:
        three = [drawn(task.train, setting.sentences, seed), *fixed]
        labels = [np.array([tag for row in part.tags for tag in row]) for part in three]
        kinds = [_kinds(lab, part.words) for part in three]
        for name in kinds[0]:
            score = linear_probe([part[name] for part in kinds], labels)
            found.setdefault(name, []).append(score)
    return {name: np.array(each) for name, each in found.items()}


def _kinds(lab: ElmoLab, sentences: Sequence[Sequence[str]]) -> dict[str, np.ndarray]:
    """All vectors of all words, `(words, size)` of each kind."""
    read = np.concatenate(lab.layers(sentences), axis=1)
    layers = {f"layer {number}": layer for number, layer in enumerate(read)}
    return {STATIC: np.concatenate(lab.static.embed(sentences)), **layers}


def _told_apart(
    lab: ElmoLab, setting: _Setting, merged: Sequence[Pseudoword], seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Mean accuracies over forms that stand for two things, a probe for each form."""
    found: dict[str, list[list[float]]] = {}
    for each in merged:
        kinds, labels = pseudoword_vectors(lab, each)
        divided = [parts(labels, seed, setting.occurrences) for seed in seeds]
        for name, vectors in kinds.items():
            scores = [
                linear_probe([vectors[part] for part in three], [labels[part] for part in three])
                for three in divided
            ]
            found.setdefault(name, []).append(scores)
    return {name: np.mean(scores, axis=0) for name, scores in found.items()}


def pseudoword_vectors(lab: ElmoLab, each: Pseudoword) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What each kind of vector says at a pseudoword.

    Args:
        lab: The vectors.
        each: The pseudoword and its sentences.

    Returns:
        For each kind `(examples, size)`; and which of the two words it was, 0
        or 1.
    """
    sentences = [*each.sentences[0], *each.sentences[1]]
    places = [*each.places[0], *each.places[1]]
    labels = np.repeat([0, 1], [len(own) for own in each.places])
    # The form's own static vector: nobody has written it, and whatever it were, it would be one.
    own = np.tile(lab.static.vector(each.form), (len(places), 1))
    static = lab.static.embed(sentences)
    around = [_mean_around(vectors, place) for vectors, place in zip(static, places, strict=True)]
    read = lab.layers(sentences)
    at_places = np.stack(
        [layers[:, place] for layers, place in zip(read, places, strict=True)], axis=1
    )
    layers = {f"layer {number}": layer for number, layer in enumerate(at_places)}
    return {STATIC: own, AROUND: np.stack(around), **layers}, labels


def _mean_around(vectors: np.ndarray, place: int) -> np.ndarray:
    near = [*vectors[max(0, place - WINDOW) : place], *vectors[place + 1 : place + 1 + WINDOW]]
    return np.mean(near, axis=0) if near else np.zeros(vectors.shape[1], dtype="float32")


def _kit_words(load: Callable[..., data.AmbiguousSet], fast: bool) -> list[Pseudoword]:
    """Words with two meanings or uses in sentences of the kit, in the form of pseudowords."""
    by_form: dict[str, dict[str, list[tuple[list[str], int]]]] = {}
    for split, count in KIT_COUNTS[load.__name__].items():
        made = load(count, split)
        for sentence, place, label in zip(*made, strict=True):
            form = sentence[place]
            by_form.setdefault(form, {}).setdefault(label, []).append((sentence, place))
    merged = []
    for form, by_label in sorted(by_form.items()):
        (one, ones), (other, others) = sorted(by_label.items())
        columns = [[list(column) for column in zip(*each, strict=True)] for each in (ones, others)]
        sentences, places = zip(*columns, strict=True)
        merged.append(Pseudoword((one, other), form, sentences, places))
    return merged[: 2 if fast else None]


def merged_words(lab: ElmoLab) -> list[Pseudoword]:
    """The pseudowords: of real text, or of sentences made by the kit where the lab is small.

    Args:
        lab: Large or small.
    """
    if not lab.fast:
        return real_pseudowords(FULL.pairs)
    made = data.tagged_sentences(300, "test", seed=1)
    nouns = {
        word
        for words, tags in zip(made.sentences, made.tags, strict=True)
        for word, tag in zip(words, tags, strict=True)
        if tag == "NOUN"
    }
    return pseudowords(made.sentences, sorted(nouns), SMALL.pairs)
