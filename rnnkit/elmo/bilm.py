"""The bidirectional language model that ELMo's vectors come from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import ops

from rnnkit.elmo.character_encoder import CharacterEncoder
from rnnkit.elmo.extraction import BATCH_TOKENS, Extraction
from rnnkit.elmo.lstm_stack import LSTMStack, StackStates
from rnnkit.elmo.options import BiLMOptions
from rnnkit.elmo.weights import read_weights, write_weights
from rnnkit.layers import Shape, Tensor, reverse_sequences
from rnnkit.models.course_model import CourseModel

BothStates = tuple[StackStates, StackStates]  # forward, backward


@keras.saving.register_keras_serializable("rnnkit")
class BiLM(CourseModel):
    r"""Two language models over one sentence, one each way, and all that they know of a word.

    A word's vector $x_k$ comes from its characters. A stack of LSTMs reads the
    sentence from left to right, another from right to left; the two never mix.
    So a word k has 2L + 1 representations, joined to L + 1:

    $$h_{k,0} = [x_k; x_k] \qquad h_{k,j} = [\overrightarrow{h}_{k,j}; \overleftarrow{h}_{k,j}]$$

    Taught in unit 07, sections s31 and s32.

    Args:
        options: All sizes.
        dropout: The share of each LSTM layer's inputs that is set to 0 in training.

    Call arguments:
        ids: `(batch, time, characters)`: what `character_ids` returned.

    Returns:
        `(batch, layers + 1, time, 2 * projection)`: the layers from h_0 up, the
        sentence marks included; what stands on padding means nothing.

    Reference:
        Peters et al., "Deep contextualized word representations", NAACL 2018.

    Example:

    >>> options = BiLMOptions(memory=16, projection=4, filters=((1, 4), (2, 8)))
    >>> bilm = BiLM(options)
    >>> first, second = bilm.embed([["the", "bank"], ["no"]])
    >>> first.shape, second.shape
    ((3, 2, 8), (3, 1, 8))
    """

    def __init__(self, options: BiLMOptions, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        self.dropout = dropout
        policy = self.dtype_policy
        self.characters = CharacterEncoder(
            options.filters,
            options.projection if options.is_projected else None,
            options.embedding,
            options.highways,
            options.activation,
            dtype=policy,
        )
        self.forward_stack, self.backward_stack = (
            LSTMStack(
                options.projection,
                options.memory,
                options.layers,
                options.memory_clip,
                options.output_clip,
                options.skip_connections,
                dropout,
                dtype=policy,
            )
            for _ in range(2)
        )
        self._extraction: Any = None
        self.build(None)

    def build(self, ids_shape: Shape | None) -> None:
        """Nothing to make: the parts have made their weights."""
        self.built = True

    def run(
        self,
        vectors: Tensor,
        mask: Tensor | None = None,
        states: BothStates | None = None,
        training: bool | None = None,
    ) -> tuple[list[Tensor], list[Tensor], BothStates]:
        """Both language models over the words' vectors.

        Args:
            vectors: `(batch, time, projection)`: what `characters` made.
            mask: `(batch, time)`, boolean, True for a real position, or None.
            states: The states to start from, forward and backward; None for zeros.
            training: Whether dropout is on.

        Returns:
            The outputs of each forward layer, those of each backward layer,
            `(batch, time, projection)` in the order of the sentence; and the
            states after the last word (backward: after the first).
        """
        before, before_back = states if states is not None else (None, None)
        ahead, after = self.forward_stack(
            vectors, mask=mask, initial_states=before, training=training
        )
        turned, after_back = self.backward_stack(
            reverse_sequences(vectors, mask),
            mask=mask,
            initial_states=before_back,
            training=training,
        )
        back = [reverse_sequences(outputs, mask) for outputs in turned]
        return ahead, back, (after, after_back)

    def call(self, ids: Tensor, training: bool | None = None) -> Tensor:
        """All layers for each position."""
        ids = ops.convert_to_tensor(ids)
        mask = ops.not_equal(ids[:, :, 0], 0)
        vectors = self.characters(ids)
        ahead, back, _ = self.run(vectors, mask, training=training)
        pairs = zip([vectors, *ahead], [vectors, *back], strict=True)
        return ops.stack([ops.concatenate(pair, axis=-1) for pair in pairs], axis=1)

    def embed(
        self,
        sentences: Sequence[Sequence[str]],
        stateful: bool = False,
        batch_tokens: int = BATCH_TOKENS,
    ) -> list[np.ndarray]:
        """All layers for each word of some sentences.

        The vectors of a sentence depend on nothing but the sentence: not on its
        batch, nor on what was embedded before. The published program carried
        the LSTMs' states from one batch to the next, so that one sentence got
        different vectors each time; `stateful=True` does as it did.

        Args:
            sentences: Lists of words.
            stateful: Start from the states that the call before this one ended
                with, row by row, and read all sentences as one batch; `forget`
                goes back to zeros.
            batch_tokens: The most tokens, padding counted, that are read at once;
                it bounds the memory. A longer sentence is read in parts.

        Returns:
            For each sentence an array `(layers + 1, words, 2 * projection)`,
            float32, without the sentence marks.

        Raises:
            TypeError: A sentence is no list of words.
            ValueError: `batch_tokens` is less than 1.
        """
        return self.extraction.embed(sentences, stateful, batch_tokens)

    @property
    def extraction(self) -> Extraction:
        """What reads sentences fast; it remembers the vectors of words."""
        if self._extraction is None:
            self._extraction = Extraction(self)
        return self._extraction

    def forget(self) -> None:
        """Let the next stateful call start from zeros."""
        self.extraction.forget()

    def save(self, filepath: Any, weights_file: Any = None, **kwargs: Any) -> None:
        """Write the published format, or Keras's own.

        Args:
            filepath: The options file, a JSON file; or, without a weights file,
                a `.keras` file.
            weights_file: The HDF5 file.
            **kwargs: As in `keras.Model.save`.
        """
        if weights_file is None:
            super().save(filepath, **kwargs)
            return
        write_weights(self, Path(filepath), Path(weights_file))

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the model again."""
        return {
            **super().get_config(),
            "options": self.options.to_dict(),
            "dropout": self.dropout,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> "BiLM":
        """Make the model from `get_config()`."""
        return cls(**{**config, "options": BiLMOptions.from_dict(config["options"])})


def load_bilm(options_file: str | Path, weights_file: str | Path) -> BiLM:
    """Load a biLM in the published format.

    Taught in unit 07, section s34.

    Args:
        options_file: The JSON file with the sizes.
        weights_file: The HDF5 file with the weights.

    Returns:
        The model; its weights can be trained on or frozen with
        ``bilm.trainable = False``.

    Raises:
        ValueError: A file is of another format, cut off, or the two do not
            fit each other. The message names the data set.

    Example:

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> made = BiLM(BiLMOptions(memory=16, projection=4, filters=((1, 4), (2, 8))))
    >>> made.save(folder / "options.json", folder / "weights.hdf5")
    >>> again = load_bilm(folder / "options.json", folder / "weights.hdf5")
    >>> bool((made.embed([["bank"]])[0] == again.embed([["bank"]])[0]).all())
    True
    """
    bilm = BiLM(BiLMOptions.from_file(options_file))
    read_weights(bilm, Path(weights_file))
    return bilm
