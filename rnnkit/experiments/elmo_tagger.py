"""A tagger that reads frozen vectors: static ones, those of a biLM, or both."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.elmo import ScalarMix, joined
from rnnkit.experiments.fresh_start import FreshStarts
from rnnkit.layers import Tensor
from rnnkit.models import masked_cross_entropy
from rnnkit.models.course_model import CourseModel

UNITS, RATE, BATCH, DROPOUT = 48, 0.005, 32, 0.3
BATCH_TOKENS = 6000  # of a test, padding counted


class Arrangement(NamedTuple):
    """Which vectors a tagger reads, and where they enter it.

    Args:
        layers: The biLM's layers that it mixes, 0 being the token layer; none:
            it reads the static vectors alone.
        places: "input": the mixture is joined to the static vectors;
            "output": to the outputs of the tagger's LSTM; or both, each place
            with a mixture of its own.
        regularization: λ of each mixture.
    """

    layers: tuple[int, ...] = ()
    places: tuple[str, ...] = ("input",)
    regularization: float = 0.001

    @property
    def title(self) -> str:
        """What is read, in words.

        Example:

        >>> Arrangement().title, Arrangement((0, 1)).title
        ('static vectors', 'static vectors, layers 0+1 at the input, λ 0.001')
        """
        if not self.layers:
            return "static vectors"
        layers, places = "+".join(map(str, self.layers)), " and ".join(self.places)
        return f"static vectors, layers {layers} at the {places}, λ {self.regularization:g}"


class Batch(NamedTuple):
    """Sentences side by side.

    Args:
        static: `(batch, time, size)`.
        layers: `(batch, layers, time, size)`.
        mask: `(batch, time)`, boolean.
        places: Where each sentence stands among all.
    """

    static: np.ndarray
    layers: np.ndarray
    mask: np.ndarray
    places: np.ndarray


class VectorTagger(CourseModel):
    """A bidirectional LSTM over frozen vectors, and a softmax over tags at each word.

    Args:
        arrangement: What it reads.
        tags: How many tags there are, 0 being that of padding.
        sizes: Of a static vector, and of a biLM's vector.

    Call arguments:
        inputs: A list: the static vectors `(batch, time, size)`, the layers
            `(batch, layers, time, size)` and the mask `(batch, time)`.

    Returns:
        Logits, `(batch, time, tags)`.
    """

    def __init__(self, arrangement: Arrangement, tags: int, sizes: tuple[int, int]) -> None:
        super().__init__()
        self.arrangement = arrangement
        # One layer alone needs no mixture.
        places = arrangement.places if len(arrangement.layers) > 1 else ()
        self.mixes = {
            place: ScalarMix(len(arrangement.layers), regularization=arrangement.regularization)
            for place in places
        }
        self.dropout = keras.layers.Dropout(DROPOUT)
        self.reader = keras.layers.Bidirectional(keras.layers.LSTM(UNITS, return_sequences=True))
        self.to_logits = keras.layers.Dense(tags)
        static, layered = sizes
        self.reader.build((None, None, static + layered * self._reads_at("input")))
        self.to_logits.build((None, None, 2 * UNITS + layered * self._reads_at("output")))
        self.build(None)

    def build(self, inputs_shape: Any) -> None:
        """Nothing to make: the parts have made their weights."""
        self.built = True

    def default_loss(self) -> Any:
        """`masked_cross_entropy`."""
        return masked_cross_entropy

    def call(self, inputs: Any, training: bool | None = None) -> Tensor:
        """Logits of each word."""
        static, layers, mask = inputs
        read = self.dropout(self._with_mixture(static, layers, "input"), training=training)
        outputs = self.reader(read, mask=ops.cast(mask, "bool"))
        outputs = self._with_mixture(outputs, layers, "output")
        return self.to_logits(self.dropout(outputs, training=training))

    def _with_mixture(self, vectors: Tensor, layers: Tensor, place: str) -> Tensor:
        if not self._reads_at(place):
            return vectors
        mix = self.mixes.get(place)
        return joined(vectors, layers[:, 0] if mix is None else mix(layers))

    def _reads_at(self, place: str) -> bool:
        return bool(self.arrangement.layers) and place in self.arrangement.places


class TaggerTrainer:
    """Trains taggers of one arrangement.

    Args:
        arrangement: What the taggers read.
        tags: How many tags there are, 0 being that of padding.
        sizes: Of a static vector, and of a biLM's vector.
    """

    def __init__(self, arrangement: Arrangement, tags: int, sizes: tuple[int, int]) -> None:
        self.arrangement = arrangement
        self._starts = FreshStarts(
            lambda: VectorTagger(arrangement, tags, sizes),
            lambda model: model.compile(keras.optimizers.Adam(RATE, global_clipnorm=1.0)),
        )
        self.model: VectorTagger = self._starts.model

    def train(
        self,
        vectors: Sequence[tuple[np.ndarray, np.ndarray]],
        tags: Sequence[np.ndarray],
        epochs: int,
        seed: int,
    ) -> None:
        """Train a new tagger.

        Args:
            vectors: For each sentence its static vectors `(words, size)` and the
                arrangement's layers `(layers, words, size)`.
            tags: For each sentence the ids of its tags, from 1.
            epochs: How often they are read.
            seed: Of its first weights, of its dropout, and of the order.
        """
        self._starts.begin(seed)
        lengths = [len(each) for each in tags]
        generator = np.random.default_rng(seed)
        for _ in range(epochs):
            for places in shuffled_batches(lengths, BATCH, generator):
                batch = side_by_side(vectors, places)
                targets = np.zeros(batch.mask.shape, dtype="int32")
                targets[batch.mask] = np.concatenate([tags[place] for place in places])
                self.model.train_on_batch(list(batch[:3]), targets)

    def tag(self, vectors: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[np.ndarray]:
        """The most probable tag of each word.

        Args:
            vectors: As in `train`.
        """
        found: dict[int, np.ndarray] = {}
        for places in batches_by_length([len(static) for static, _ in vectors]):
            batch = side_by_side(vectors, places)
            logits = np.asarray(self.model.predict_on_batch(list(batch[:3])))
            best = logits[:, :, 1:].argmax(axis=-1) + 1
            rows = zip(batch.places.tolist(), best, batch.mask, strict=True)
            found.update((place, row[real]) for place, row, real in rows)
        return [found[place] for place in range(len(vectors))]

    def layer_weights(self) -> dict[str, np.ndarray]:
        """For each place the weights of the layers, which sum to 1."""
        return {place: mix.layer_weights() for place, mix in self.model.mixes.items()}


def side_by_side(
    vectors: Sequence[tuple[np.ndarray, np.ndarray]], places: Sequence[int] | np.ndarray
) -> Batch:
    """Sentences as one batch, padded with zeros.

    Args:
        vectors: For each sentence its static vectors `(words, size)` and its
            layers `(layers, words, size)`.
        places: Which of the sentences.
    """
    chosen = [vectors[place] for place in places]
    longest = max(len(static) for static, _ in chosen)
    first_static, first_layers = chosen[0]
    static = np.zeros((len(chosen), longest, first_static.shape[1]), dtype="float32")
    layers = np.zeros(
        (len(chosen), len(first_layers), longest, first_layers.shape[2]), dtype="float32"
    )
    mask = np.zeros((len(chosen), longest), dtype=bool)
    for row, (words, layered) in enumerate(chosen):
        static[row, : len(words)] = words
        layers[row, :, : len(words)] = layered
        mask[row, : len(words)] = True
    return Batch(static, layers, mask, np.asarray(places))


def shuffled_batches(
    lengths: Sequence[int], batch: int, generator: np.random.Generator
) -> list[np.ndarray]:
    """Batches of sentences of similar length, in a random order.

    Args:
        lengths: How many words each sentence has.
        batch: How many sentences stand in one.
        generator: Where chance comes from.

    Returns:
        For each batch the places of its sentences; each place once.
    """
    # A little noise on the lengths lets a sentence meet others in each epoch.
    order = np.argsort(np.asarray(lengths) + generator.uniform(0, 4, len(lengths)))
    cuts = [order[start : start + batch] for start in range(0, len(order), batch)]
    return [cuts[place] for place in generator.permutation(len(cuts))]


def batches_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Batches of similar length that hold few words, the short sentences first.

    Args:
        lengths: How many words each sentence has.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
