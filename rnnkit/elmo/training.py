"""Training a biLM on a text of one's own."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import KerasTensor, ops, tree

from rnnkit.elmo.bilm import BiLM
from rnnkit.elmo.checkpoints import Checkpoint, Checkpoints, as_plain
from rnnkit.elmo.graphs import as_graph
from rnnkit.elmo.readings import readings
from rnnkit.elmo.sampled_softmax import LogUniformSampler, SharedSoftmax
from rnnkit.elmo.streams import (
    IndexedText,
    both_streams,
    distinct_words,
    index_text,
    shuffled,
)
from rnnkit.elmo.training_progress import TrainingProgress
from rnnkit.elmo.word_list import WordList
from rnnkit.layers import Shape, Tensor
from rnnkit.models import windows
from rnnkit.models.course_model import CourseModel

Sentences = Sequence[Sequence[str]]
LOGITS_AT_ONCE = 2**23  # of a full softmax in a test: 32 MB


class BiLMPerplexity(NamedTuple):
    """How surprised the two language models of a biLM are by a text.

    Args:
        forward: The perplexity of the words and of each `</S>`, read forwards.
        backward: That of the words and of each `<S>`, read backwards.
        unknown: The share of words that the word list does not know.
    """

    forward: float
    backward: float
    unknown: float


class EpochResult(NamedTuple):
    """How an epoch ended.

    Args:
        step: How many steps were done by then.
        loss: The mean loss of the epoch's steps, in nats.
        validation: The perplexity of the validation text, where there is one.
    """

    step: int
    loss: float
    validation: BiLMPerplexity | None


@dataclasses.dataclass
class _Run:
    """A training: of what, and how far it is.

    Args:
        text: What is read.
        held_out: The validation text, or None.
        per_epoch: How many steps an epoch has.
        total: How many steps the training has.
        checkpoints: Where they are kept, or None.
        every: How many steps there are from one to the next.
        step: How many steps are done.
        losses: The sum of the losses of this epoch's steps.
        results: How the epochs before it ended.
    """

    text: IndexedText
    held_out: IndexedText | None
    per_epoch: int
    total: int
    checkpoints: Checkpoints | None
    every: int
    step: int = 0
    losses: float = 0.0
    results: list[EpochResult] = dataclasses.field(default_factory=list)

    @property
    def is_due(self) -> bool:
        """Whether a checkpoint is to be written."""
        return self.step % self.every == 0 or self.step == self.total

    @property
    def progress(self) -> dict[str, Any]:
        """What a checkpoint holds of this."""
        return {"step": self.step, "losses": self.losses, "results": self.results}

    def take_up(self, step: int, losses: float, results: list[Any]) -> None:
        """Go on from `progress`, as a checkpoint gives it back."""
        self.step, self.losses = step, losses
        self.results = [
            EpochResult(done, loss, None if measured is None else BiLMPerplexity(*measured))
            for done, loss, measured in results
            # One in the middle of an epoch was its last only if the training ended there.
            if done % self.per_epoch == 0 or done == self.total
        ]


class BiLMTraining(CourseModel):
    """Trains a biLM to predict the next word of a text, forwards and backwards.

    All sentences, in an order that changes with each epoch, stand one after the
    other with their marks. The text is cut into `batch` streams, and these into
    windows of `unroll` words; each window starts from the states that the one
    before it ended with (see `rnnkit.models.TruncatedBPTT`). The backward model
    reads a stream of its own, of the same sentences turned round. Both share
    one softmax, which is needed in training only.

    The characters of a word are read once for each batch, however often it
    stands there.

    Training the same thing twice gives the same numbers: all chance comes from
    `seed`, from the number of the step, and from the biLM's first weights.

    Taught in unit 07, section s31.

    Args:
        bilm: The model; it is trained itself.
        words: The words that it predicts.
        batch: How many streams are read side by side.
        unroll: How many words of each stream are read in a step.
        negatives: How many words are drawn for each step's sampled softmax;
            None, or as many as the list has: the sum goes over all words.
        optimizer: An optimizer, or its name. By default that of the published
            model: Adagrad with the rate 0.2, and the gradient clipped to 10.
        seed: Of the order of the sentences, of the draws, and of the softmax.

    Call arguments:
        inputs: A batch, as `fit` makes it.

    Returns:
        The last layer's outputs of both directions, each in the order of its
        stream: `(2, batch, unroll, projection)`.

    Raises:
        ValueError: A number is less than 1.

    Reference:
        Peters et al., "Deep contextualized word representations", NAACL 2018.

    Example:

    >>> from rnnkit.elmo import BiLMOptions
    >>> text = [["the", "cat", "sat"], ["the", "bat", "sat"]] * 20
    >>> bilm = BiLM(BiLMOptions(memory=8, projection=4, filters=((1, 4), (2, 4)), layers=1))
    >>> training = BiLMTraining(bilm, WordList.from_sentences(text), batch=4, unroll=3)
    >>> results = training.fit(text, epochs=1, quiet=True)
    >>> results[-1].step, training.perplexity(text).unknown
    (16, 0.0)
    """

    train_function: Any  # of Keras
    predict_function: Any

    def __init__(
        self,
        bilm: BiLM,
        words: WordList,
        batch: int = 128,
        unroll: int = 20,
        negatives: int | None = 8192,
        optimizer: Any = None,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        if min(batch, unroll, 1 if negatives is None else negatives) < 1 or seed < 0:
            raise ValueError(
                "BiLMTraining expects batch, unroll and negatives >= 1, and seed >= 0. Received: "
                f"batch={batch}, unroll={unroll}, negatives={negatives}, seed={seed}"
            )
        super().__init__(**kwargs)
        self.bilm = bilm
        self.words = words
        self.batch, self.unroll, self.seed = batch, unroll, seed
        self.sampler = None
        if negatives is not None and negatives < len(words):
            self.sampler = LogUniformSampler(len(words), negatives)
        self.softmax = SharedSoftmax(len(words), bilm.options.projection, seed=seed)
        self.dropout = keras.layers.Dropout(bilm.dropout, seed=seed, dtype=bilm.dtype_policy)
        self.build(None)
        self.compile(published_optimizer() if optimizer is None else optimizer)

    def build(self, inputs_shape: Shape | None) -> None:
        """Make room for the states: weights that no optimizer moves."""
        if getattr(self, "built", False):
            return
        self.carried = [
            [
                self.add_weight(
                    shape=tuple(part.shape), initializer="zeros", dtype=part.dtype, trainable=False
                )
                for layer in stack.first_states(self.batch)
                for part in layer
            ]
            for stack in self._stacks()
        ]
        self.built = True

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Tensor:
        """Read one window of each stream; the states after it are kept for the next."""
        vectors = self.bilm.characters(inputs["characters"])  # (distinct words, projection)
        read = ops.take(vectors, inputs["rows"], axis=0)  # (2, batch, unroll, projection)
        tops = []
        for number, stack in enumerate(self._stacks()):
            # Copies, since PyTorch needs them for the gradient after the weights have changed.
            before = [ops.copy(part) for part in self.carried[number]]
            pairs = tuple(zip(before[::2], before[1::2], strict=True))
            outputs, after = stack(read[number], initial_states=pairs, training=training)
            new = [part for layer in after for part in layer]
            for part, value in zip(self.carried[number], new, strict=True):
                part.assign(ops.stop_gradient(value))
            tops.append(self.dropout(outputs[-1], training=training))
        return ops.stack(tops)

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool = True,
    ) -> Tensor:
        """The mean loss of both directions, times `unroll`.

        So the gradient is that of a sum over time, as it was for the published
        model: the clipping at 10, and Adagrad's first steps, are made for it.
        """
        losses = self.softmax(y_pred, x["targets"], sample=x.get("sample"))
        return ops.mean(losses) * self.unroll

    def make_train_function(self, force: bool = False) -> None:
        """As in Keras; TensorFlow makes one graph for any number of words and characters."""
        if not self._has_graphs:
            super().make_train_function(force)
        elif self.train_function is None or force:
            step = _for_any_words(self.train_step, self.jit_compile)
            self.train_function = lambda batches: step(next(batches)[0])

    def make_predict_function(self, force: bool = False) -> None:
        """See `make_train_function`."""
        if not self._has_graphs:
            super().make_predict_function(force)
        elif self.predict_function is None or force:
            step = _for_any_words(self.predict_step, self.jit_compile)
            self.predict_function = lambda batches: step(batches[0][0])

    @property
    def _has_graphs(self) -> bool:
        return keras.backend.backend() == "tensorflow" and not self.run_eagerly

    def start_again(self) -> None:
        """Set the states to those of the beginning of a text."""
        for part in self._all_carried():
            part.assign(ops.zeros(part.shape, dtype=part.dtype))

    def fit(
        self,
        sentences: Sentences,
        epochs: int | None = None,
        steps: int | None = None,
        validation: Sentences | None = None,
        checkpoint: str | Path | None = None,
        every: int = 1000,
        quiet: bool = False,
    ) -> list[EpochResult]:
        """Train on a text.

        With `checkpoint`, a training that was stopped goes on when it is
        started again with the same arguments, and ends with the same numbers
        as one that was never stopped. (On PyTorch this holds for a biLM without
        dropout, whose chance is no part of the model there.) Without it, each
        call begins with the first epoch's order of sentences, and with the
        weights as they are.

        Args:
            sentences: Lists of words. What is left over at the end of an epoch,
                less than a window for each stream, is not read in it.
            epochs: How often the text is read.
            steps: How many windows are read; take this or `epochs`.
            validation: Another text, whose perplexity is measured after each
                epoch, sentence by sentence.
            checkpoint: A folder for checkpoints.
            every: How many steps there are from one checkpoint to the next;
                there is one at the end too.
            quiet: Write nothing to stdout.

        Returns:
            How each epoch ended; the last one is where the training stopped.

        Raises:
            TypeError: A sentence is a text and no list of words.
            ValueError: There is too little text for one window of each stream,
                a number is wrong, or the checkpoint is of another training.
            FloatingPointError: The loss is no number any more.
        """
        if (epochs is None) == (steps is None) or min(epochs or steps or 0, every) < 1:
            raise ValueError(
                "fit expects either epochs or steps, and every, of at least 1. "
                f"Received: epochs={epochs}, steps={steps}, every={every}"
            )
        text = self._index(sentences)
        per_epoch = self._steps_of_epoch(text)
        run = _Run(
            text,
            None if validation is None else self._index(validation),
            per_epoch,
            steps or per_epoch * (epochs or 0),
            None if checkpoint is None else Checkpoints(checkpoint),
            every,
        )
        self._take_up(run)
        progress = TrainingProgress(run.total, run.step, self.batch * self.unroll, quiet)
        if run.step:
            progress.say(f"going on after step {run.step:,} of {run.total:,}")
        while run.step < run.total:
            self._read_epoch(run, progress)
        return run.results

    def _read_epoch(self, run: _Run, progress: TrainingProgress) -> None:
        """Train on the rest of an epoch, which may be all of it."""
        epoch, first = divmod(run.step, run.per_epoch)
        if not first:
            self.start_again()
            run.losses = 0.0
        last = min(run.per_epoch, run.total - epoch * run.per_epoch)
        for inputs, targets in self._windows(run.text, epoch)[first:last]:
            loss = self._train_step(run.text, inputs, targets, run.step)
            run.step += 1
            run.losses += loss
            progress.step(loss)
            if run.step == epoch * run.per_epoch + last:
                run.results.append(self._result(run, run.losses / last))
                progress.say(f"epoch {epoch + 1}: {_in_words(run.results[-1])}")
            if run.checkpoints is not None and run.is_due:
                run.checkpoints.write(run.step, self._checkpoint(run))

    def _result(self, run: _Run, loss: float) -> EpochResult:
        measured = None if run.held_out is None else self._perplexity(run.held_out, carried=False)
        return EpochResult(run.step, loss, measured)

    def _train_step(
        self, text: IndexedText, inputs: np.ndarray, targets: np.ndarray, step: int
    ) -> float:
        """The loss of one step."""
        characters, rows = distinct_words(text, inputs, self.bilm.characters)
        words = text.words[targets]
        batch: dict[str, Any] = {"characters": characters, "rows": rows, "targets": words}
        if self.sampler is not None:
            batch["sample"] = self.sampler.draw(np.random.default_rng([self.seed, 1, step]), words)
        loss = self.train_on_batch(batch) / self.unroll
        if not math.isfinite(loss):
            raise FloatingPointError(
                f"Expected a finite loss. Received: {loss} at step {step + 1}. Take a smaller "
                "learning rate"
            )
        return loss

    def _windows(self, text: IndexedText, epoch: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Inputs and targets of each step of an epoch, `(2, batch, unroll)`."""
        ahead, back = (
            windows(stream, self.batch, self.unroll)
            for stream in both_streams(text, shuffled(text, self.seed, epoch))
        )
        return [
            (np.stack([inputs, back_inputs]), np.stack([targets, back_targets]))
            for (inputs, targets), (back_inputs, back_targets) in zip(ahead, back, strict=True)
        ]

    def _steps_of_epoch(self, text: IndexedText) -> int:
        steps = (len(text.ids) - 1) // self.batch // self.unroll
        if not steps:
            raise ValueError(
                f"BiLMTraining(batch={self.batch}, unroll={self.unroll}) expects a text of at "
                f"least batch * unroll + 1 = {self.batch * self.unroll + 1} words, sentence marks "
                f"counted. Received: {len(text.ids)}. Take a smaller batch, or more text"
            )
        return steps

    def _index(self, sentences: Sentences) -> IndexedText:
        return index_text(sentences, self.words, self.bilm.options.max_characters)

    def _take_up(self, run: _Run) -> None:
        """Go on from the newest checkpoint, if there is one."""
        found = None
        if run.checkpoints is not None:
            found = run.checkpoints.read(self._settings(run.text))
        if found is not None:
            for variable, array in zip(self._state(), found.arrays, strict=True):
                variable.assign(array)
            run.take_up(**found.progress)

    def _checkpoint(self, run: _Run) -> Checkpoint:
        arrays = [np.asarray(ops.convert_to_numpy(variable)) for variable in self._state()]
        return Checkpoint(self._settings(run.text), run.progress, as_plain(arrays))

    def _state(self) -> list[Any]:
        """All that a step changes."""
        return [*self.variables, *self.optimizer.variables]

    def _settings(self, text: IndexedText) -> dict[str, Any]:
        """What must be the same where a training goes on."""
        optimizer = keras.optimizers.serialize(self.optimizer)
        optimizer["config"].pop("name", None)  # it has a number that counts optimizers
        return {
            "options": self.bilm.options.to_dict(),
            "dropout": self.bilm.dropout,
            "dtype": self.bilm.dtype_policy.name,
            "batch": self.batch,
            "unroll": self.unroll,
            "negatives": self.sampler.count if self.sampler else None,
            "seed": self.seed,
            "optimizer": {"class": optimizer["class_name"], **optimizer["config"]},
            "SHA-256 of the word list": self.words.digest,
            "SHA-256 of the text": text.digest,
        }

    def perplexity(self, sentences: Sentences, carried: bool = False) -> BiLMPerplexity:
        """How surprised both models are by a text, with the sum over all words.

        Predicted are the words and the mark that closes a sentence, never the
        one that opens it; a word that the list does not know counts as `<UNK>`.
        Where many words are unknown, a perplexity is low for that reason, so
        compare only numbers with one word list.

        Args:
            sentences: Lists of words.
            carried: Read the text as it is read in training: in streams, each
                sentence with the states that the one before it ended with.
                False: each sentence is read for itself.

        Returns:
            Both perplexities, and the share of unknown words.

        Raises:
            TypeError: A sentence is a text and no list of words.
            ValueError: There are no sentences.
        """
        return self._perplexity(self._index(sentences), carried)

    def _perplexity(self, text: IndexedText, carried: bool) -> BiLMPerplexity:
        before = [np.array(ops.convert_to_numpy(part)) for part in self._all_carried()]
        totals, counts = np.zeros(2), np.zeros(2)
        for reading in readings(text, self.batch, self.unroll, carried):
            self.start_again()
            for start in range(0, reading.inputs.shape[2], self.unroll):
                part = (slice(None), slice(None), slice(start, start + self.unroll))
                real = reading.counts[part]
                losses = self._test_step(text, reading.inputs[part], reading.targets[part])
                totals += np.where(real, losses, 0.0).sum(axis=(1, 2), dtype="float64")
                counts += real.sum(axis=(1, 2))
        for part, value in zip(self._all_carried(), before, strict=True):
            part.assign(value)
        forward, backward = np.exp(totals / counts).tolist()
        return BiLMPerplexity(forward, backward, text.unknown)

    def _test_step(self, text: IndexedText, inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """The losses of one window with the full softmax, `(2, batch, unroll)`."""
        characters, rows = distinct_words(text, inputs, self.bilm.characters)
        outputs = self.predict_on_batch({"characters": characters, "rows": rows})
        outputs = np.reshape(outputs, (-1, outputs.shape[-1]))
        words = text.words[targets].reshape(-1)
        at_once = max(1, LOGITS_AT_ONCE // len(self.words))
        losses = [
            ops.convert_to_numpy(self.softmax(outputs[i : i + at_once], words[i : i + at_once]))
            for i in range(0, len(words), at_once)
        ]
        return np.concatenate(losses).reshape(targets.shape)

    def _stacks(self) -> tuple[Any, Any]:
        return self.bilm.forward_stack, self.bilm.backward_stack

    def _all_carried(self) -> list[Any]:
        return [part for direction in self.carried for part in direction]


def _for_any_words(step: Callable[[Any], Any], jit_compile: bool) -> Callable[[Any], Any]:
    """A step as one graph; Keras would make another for each size that is new."""
    graphs: list[Callable[[Any], Any]] = []

    def run(batch: dict[str, Any]) -> Any:
        if not graphs:
            shapes = tree.map_structure(lambda part: KerasTensor(part.shape, part.dtype), batch)
            shapes["characters"] = KerasTensor((None, None), batch["characters"].dtype)
            graphs.append(as_graph(step, shapes, compiled=jit_compile))
        return graphs[0](batch)

    return run


def published_optimizer() -> keras.optimizers.Optimizer:
    """What the published biLM was trained with."""
    return keras.optimizers.Adagrad(0.2, initial_accumulator_value=1.0, global_clipnorm=10.0)


def _in_words(result: EpochResult) -> str:
    said = f"loss {result.loss:.3f}"
    if result.validation is None:
        return said
    forward, backward, unknown = result.validation
    return (
        f"{said}; perplexity of the validation text: {forward:.1f} forwards, {backward:.1f} "
        f"backwards, {unknown:.1%} unknown words"
    )
