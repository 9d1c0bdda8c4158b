"""A softmax over many words that is trained on few of them at a time."""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from rnnkit.layers import Tensor

_NOTHING = -1e9  # the logarithm of a weight that does not count


class Sample(NamedTuple):
    """The negatives of one batch.

    Args:
        negatives: `(negatives,)`, int32: words, each once.
        negative_log_counts: `(negatives,)`: the logarithm of how probable it
            was that each is among them.
        target_log_counts: The same for each target of the batch.
        drawn: Whether each target is among the negatives.
    """

    negatives: Any
    negative_log_counts: Any
    target_log_counts: Any
    drawn: Any


class LogUniformSampler:
    r"""Draws negatives: frequent words often, rare ones seldom.

    In a list that is sorted by falling count, the word at place r is drawn with

    $$p_r = \frac{\log(r + 2) - \log(r + 1)}{\log(V + 1)}$$

    which is close to how words are distributed in texts. Words are drawn one
    after the other, none twice. This is done for all words at once: each gets a
    time from the exponential distribution with the rate $p_r$, and the earliest
    ones are the sample. With t the time of the first word that is not in it, a
    word was in it with the probability $1 - e^{-p_r t}$, its expected count.

    Taught in unit 07, section s31.

    Args:
        words: V, how many words there are.
        count: How many are drawn, fewer than there are.

    Raises:
        ValueError: `count` is not from 1 to `words` - 1.

    Example:

    >>> sampler = LogUniformSampler(words=1000, count=5)
    >>> sample = sampler.draw(np.random.default_rng(1), targets=np.array([4, 7]))
    >>> sample.negatives.shape, sample.drawn.shape
    ((5,), (2,))
    """

    def __init__(self, words: int, count: int) -> None:
        if not 1 <= count < words:
            raise ValueError(
                f"LogUniformSampler expects a count from 1 to words - 1 = {words - 1}. "
                f"Received: count={count}"
            )
        self.count = count
        self.probabilities = np.diff(np.log(np.arange(1, words + 2))) / np.log(words + 1)

    def draw(self, generator: np.random.Generator, targets: np.ndarray) -> Sample:
        """Draw the negatives of a batch.

        Args:
            generator: Where chance comes from.
            targets: The words that the batch predicts, any shape.
        """
        times = generator.exponential(size=len(self.probabilities)) / self.probabilities
        earliest = np.argpartition(times, self.count)
        negatives = np.sort(earliest[: self.count]).astype("int32")
        end = times[earliest[self.count]]
        log_counts = np.log(-np.expm1(-self.probabilities * end)).astype("float32")
        return Sample(negatives, log_counts[negatives], log_counts[targets], times[targets] < end)


def softmax_losses(
    outputs: Tensor, targets: Tensor, vectors: Tensor, bias: Tensor, sample: Sample | None = None
) -> Tensor:
    r"""How surprised a softmax over words is, in full or with a sample of them.

    A word w has the score $s_w = x \cdot v_w + b_w$. Where there are many words, the
    sum over all of them takes most of the time of a training. A sampled softmax
    puts the target t and some negatives S in their place:

    $$\mathrm{loss} = -\log \frac{e^{s_t - \log q_t}}
      {\sum_{w \in S \cup \{t\}} e^{s_w - \log q_w}}$$

    q is the expected count of a word in S. Without it, frequent words would
    lose scores only because they are drawn more often. With it, the best scores
    are those of the full softmax, which the model is tested with. A target that
    was drawn as a negative too stands in the sum once.

    Taught in unit 07, section s31.

    Args:
        outputs: x, `(..., size)`.
        targets: The words that came, `(...)`.
        vectors: v, `(words, size)`.
        bias: b, `(words,)`.
        sample: Negatives, or None for the sum over all words.

    Returns:
        The loss at each position, `(...)`, in nats.

    Reference:
        Jean et al., "On using very large target vocabulary for neural machine
        translation", ACL 2015.

    Example:

    >>> losses = softmax_losses(np.zeros((2, 4)), np.array([1, 1]), np.zeros((9, 4)), np.zeros(9))
    >>> ops.convert_to_numpy(losses).round(3).tolist()  # log 9
    [2.197, 2.197]
    """
    outputs, vectors, bias = map(ops.convert_to_tensor, (outputs, vectors, bias))
    if sample is None:
        logits = ops.matmul(outputs, ops.transpose(vectors)) + bias
        return ops.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    log_counts = ops.cast(sample.negative_log_counts, bias.dtype)
    offsets = ops.take(bias, sample.negatives) - log_counts
    negative_vectors = ops.transpose(ops.take(vectors, sample.negatives, axis=0))
    negative_scores = ops.matmul(outputs, negative_vectors) + offsets  # (..., negatives)
    target_scores = ops.sum(outputs * ops.take(vectors, targets, axis=0), axis=-1)
    target_log_counts = ops.cast(sample.target_log_counts, bias.dtype)
    target_scores = target_scores + ops.take(bias, targets) - target_log_counts
    # A target that was drawn is among the negatives already, with the same score.
    added = ops.where(sample.drawn, _NOTHING, target_scores)
    return ops.logaddexp(ops.logsumexp(negative_scores, axis=-1), added) - target_scores


@keras.saving.register_keras_serializable("rnnkit")
class SharedSoftmax(keras.layers.Layer):
    """A vector and a bias for each word, shared by both directions of a biLM.

    Taught in unit 07, section s31.

    Args:
        words: How many words there are.
        size: The size of the vectors.
        seed: Of the first weights.

    Call arguments:
        outputs: `(..., size)`: what a language model made of the words so far.
        targets: `(...)`: the words that came.
        sample: Negatives, or None for the sum over all words.

    Returns:
        What `softmax_losses` returns, float32.

    Example:

    >>> tuple(SharedSoftmax(words=9, size=4)(np.zeros((2, 3, 4)), np.ones((2, 3), int)).shape)
    (2, 3)
    """

    def __init__(self, words: int, size: int, seed: int | None = None, **kwargs: Any) -> None:
        # In float32 also where mixed precision computes the rest in 16 bits.
        super().__init__(**{"dtype": "float32", **kwargs})
        self.settings: dict[str, Any] = {"words": words, "size": size, "seed": seed}
        spread = keras.initializers.RandomNormal(stddev=size**-0.5, seed=seed)
        self.vectors = self.add_weight((words, size), spread, name="vectors")
        self.bias = self.add_weight((words,), "zeros", name="bias")
        self.built = True

    def call(self, outputs: Tensor, targets: Tensor, sample: Sample | None = None) -> Tensor:
        """The losses."""
        # Products, so that the gradient of a row that is read at several places is added up:
        # TensorFlow leaves it in pieces, and Adagrad and clipping would square each alone.
        return softmax_losses(outputs, targets, self.vectors * 1.0, self.bias * 1.0, sample)

    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer again."""
        return {**super().get_config(), **self.settings}
