"""One label for a whole sentence."""

from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Shape, Tensor
from rnnkit.models.course_model import CourseModel
from rnnkit.models.language_model import LanguageModel
from rnnkit.models.token_encoder import TokenEncoder


@keras.saving.register_keras_serializable("rnnkit")
class SequenceClassifier(CourseModel):
    """Reads a sentence, and classifies it from the last state of each direction.

    Taught in unit 04, section s17; made from a language model in unit 07,
    section s38.

    Args:
        vocabulary_size: Symbols in the vocabulary, 0 being padding.
        classes: How many labels there are, from 0.
        units: The size of the state of each direction.
        embedding: The size of the symbol vectors.
        cell: "elman", "gru" or "lstm".
        layers: How many recurrent layers stand one on the other.
        directions: "both" or "forward".
        dropout: The share of values set to 0 in training.

    Call arguments:
        ids: `(batch, time)`.

    Returns:
        Logits, `(batch, classes)`.

    Example:

    >>> model = SequenceClassifier(9, classes=2, units=8, embedding=4)
    >>> tuple(model(np.array([[5, 4, 0], [7, 0, 0]])).shape)
    (2, 2)
    """

    def __init__(
        self,
        vocabulary_size: int,
        classes: int,
        units: int = 64,
        embedding: int = 32,
        cell: str = "lstm",
        layers: int = 1,
        directions: str = "both",
        dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        if classes < 2:
            raise ValueError(
                f"SequenceClassifier expects at least 2 classes. Received: classes={classes}"
            )
        super().__init__(**kwargs)
        self.classes = classes
        self.encoder = TokenEncoder(
            vocabulary_size,
            units,
            embedding,
            cell,
            layers,
            directions,
            dropout,
            dtype=self.dtype_policy,
        )
        self.to_logits = keras.layers.Dense(classes, dtype=self.variable_dtype)
        self.build(None)

    @classmethod
    def from_language_model(
        cls, model: LanguageModel, classes: int, dropout: float = 0.0
    ) -> "SequenceClassifier":
        """Start from what a language model has learned.

        The symbol vectors and the recurrent weights are copied; the matrix that
        makes the logits is new. The language model itself stays as it is when
        the classifier is trained.

        Taught in unit 07, section s38.

        Args:
            model: A language model of the same vocabulary.
            classes: How many labels there are, from 0.
            dropout: The share of values set to 0 in training.

        Returns:
            A classifier that reads forward only, as the language model does.

        Example:

        >>> model = LanguageModel(9, units=8, embedding=4, cell="gru")
        >>> classifier = SequenceClassifier.from_language_model(model, classes=2)
        >>> tuple(classifier(np.array([[5, 4, 0]])).shape)
        (1, 2)
        """
        names = ("vocabulary_size", "units", "embedding", "cell", "layers")
        settings: dict[str, Any] = {name: model.settings[name] for name in names}
        classifier = cls(
            classes=classes,
            directions="forward",
            dropout=dropout,
            dtype=model.dtype_policy,
            **settings,
        )
        encoder = classifier.encoder
        encoder.embedding.set_weights(model.embedding.get_weights())
        for new, trained in zip(encoder.recurrences, model.recurrences, strict=True):
            new.set_weights(trained.get_weights())
        return classifier

    def build(self, ids_shape: Shape | None) -> None:
        """Make all weights; their sizes do not depend on the shape of the ids."""
        if getattr(self, "built", False):
            return
        self.to_logits.build((None, self.encoder.width))
        self.built = True

    def default_loss(self) -> Any:
        """`keras.losses.SparseCategoricalCrossentropy`, from logits."""
        return keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """Logits of each sentence."""
        return self.to_logits(self.encoder(ids, training=training).last)

    def probabilities(self, ids: Tensor, batch_size: int = 64) -> np.ndarray:
        """How probable each label is.

        Args:
            ids: `(batch, time)`.
            batch_size: How many sentences are read side by side.

        Returns:
            `(batch, classes)`, rows with a sum of 1.
        """
        logits = self.predict(np.asarray(ids), batch_size=batch_size, verbose=0)
        return ops.convert_to_numpy(ops.softmax(logits, axis=-1))

    def classify(self, ids: Tensor, batch_size: int = 64) -> list[int]:
        """The most probable label of each sentence.

        Args:
            ids: `(batch, time)`.
            batch_size: How many sentences are read side by side.
        """
        best: list[int] = self.probabilities(ids, batch_size).argmax(axis=-1).tolist()
        return best

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {**super().get_config(), "classes": self.classes, **self.encoder.settings}
