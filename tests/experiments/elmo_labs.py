"""Small labs for the tests of the ELMo experiments."""

import dataclasses
import zlib
from types import SimpleNamespace

import keras
import numpy as np

from rnnkit.elmo import BiLM, BiLMOptions, StaticVectors
from rnnkit.experiments import ElmoLab

OPTIONS = BiLMOptions(memory=6, projection=4, filters=((1, 3), (2, 3)), embedding=3)
WORDS = ["the", "guard", "watches", "they", "."]


class DrawnVectors:
    """In the place of a biLM: layer 0 is drawn for a word, the others for its place in a sentence.

    Attributes:
        read: How many sentences it was asked for.
    """

    options = OPTIONS

    def __init__(self):
        self.read = 0

    def embed(self, sentences):
        self.read += len(sentences)
        return [self._layers(list(sentence)) for sentence in sentences]

    def _layers(self, sentence):
        tokens = [_draw(word) for word in sentence]
        above = [
            [_draw((layer, sentence, place)) for place in range(len(sentence))]
            for layer in range(OPTIONS.layers)
        ]
        return np.array([tokens, *above])


def _draw(key):
    generator = np.random.default_rng(zlib.crc32(repr(key).encode()))
    return generator.normal(size=2 * OPTIONS.projection).astype("float32")


class GuessingTrainer:
    """In the place of a `TaggerTrainer`: gives each word the first tag."""

    def __init__(self, arrangement, tags, sizes):
        self.arrangement, self.sizes = arrangement, sizes
        self.model = SimpleNamespace(count_params=lambda: 7)
        self.seeds = []

    def train(self, vectors, tags, epochs, seed):
        self.seeds.append(seed)
        for (static, layers), row in zip(vectors, tags, strict=True):
            assert static.shape == (len(row), self.sizes[0])
            assert layers.shape == (len(self.arrangement.layers), len(row), self.sizes[1])

    def tag(self, vectors):
        return [np.ones(len(static), int) for static, _ in vectors]

    def layer_weights(self):
        count = len(self.arrangement.layers)
        places = self.arrangement.places if count > 1 else ()
        return {place: np.full(count, 1 / count) for place in places}


def static_vectors() -> StaticVectors:
    return StaticVectors(WORDS, np.random.default_rng(1).normal(size=(len(WORDS), 5)))


def small_lab() -> ElmoLab:
    """A lab with drawn vectors, new each time."""
    return ElmoLab(DrawnVectors(), static_vectors(), fast=True)


def random_bilm() -> BiLM:
    """A biLM of one layer, which is soon traced."""
    keras.utils.set_random_seed(1)
    return BiLM(dataclasses.replace(OPTIONS, layers=1))
