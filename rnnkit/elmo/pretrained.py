"""The small biLM that comes with the kit."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import h5py
import numpy as np
from keras import ops

from rnnkit.elmo.bilm import BiLM, load_bilm
from rnnkit.elmo.word_list import WordList

if TYPE_CHECKING:
    from rnnkit.elmo.training import BiLMTraining

FOLDER = Path(__file__).with_name("pretrained")
_OPTIONS, _WEIGHTS, _WORDS, _SOFTMAX = (
    FOLDER / name for name in ("options.json", "weights.hdf5", "words.txt", "softmax.hdf5")
)


def load_pretrained() -> BiLM:
    """Load the biLM that comes with the kit; this needs no network.

    Two LSTM layers in each direction, 64 numbers in a layer's vector of each,
    trained on modern English. The model's card, `rnnkit/elmo/pretrained/README.md`,
    says on what, how well it predicts, and under which licences.

    Taught in unit 07, section s34.

    Example:

    >>> bilm = load_pretrained()
    >>> [vectors] = bilm.embed([["They", "sat", "on", "the", "bank", "of", "the", "river", "."]])
    >>> vectors.shape
    (3, 9, 128)
    """
    return load_bilm(_OPTIONS, _WEIGHTS)


def load_pretrained_training(batch: int = 32) -> "BiLMTraining":
    """Load the biLM together with the words and the softmax that it was trained with.

    It gives the perplexity of a text, or goes on training on one.

    Taught in unit 07, section s31.

    Args:
        batch: How many sentences or streams are read side by side.

    Example:

    >>> text = [["They", "sat", "on", "the", "bank", "of", "the", "river", "."]]
    >>> turned = [text[0][::-1]]
    >>> training = load_pretrained_training()
    >>> training.perplexity(text).forward < training.perplexity(turned).forward
    True
    """
    from rnnkit.elmo.training import BiLMTraining

    training = BiLMTraining(load_pretrained(), WordList.from_file(_WORDS), batch, negatives=1024)
    with h5py.File(_SOFTMAX, "r") as file:
        training.softmax.vectors.assign(np.asarray(file["softmax/W"], dtype="float32"))
        training.softmax.bias.assign(np.asarray(file["softmax/b"], dtype="float32"))
    return training


def write_pretrained(training: "BiLMTraining") -> None:
    """Put a trained biLM in the place of the one that comes with the kit.

    Args:
        training: What it was trained with.
    """
    FOLDER.mkdir(exist_ok=True)
    training.bilm.save(_OPTIONS, _WEIGHTS)
    training.words.save(_WORDS)
    beside = _SOFTMAX.with_name(f".{_SOFTMAX.name}.part")
    with h5py.File(beside, "w") as file:
        file["softmax/W"] = ops.convert_to_numpy(training.softmax.vectors)
        file["softmax/b"] = ops.convert_to_numpy(training.softmax.bias)
    os.replace(beside, _SOFTMAX)
