"""A language model that is a table, so that all of its sentences can be counted."""

import itertools

import numpy as np

EOS = 3


class TableModel:
    """p(next | the two symbols before), drawn at random. State: the symbol before the last."""

    def __init__(self, seed: int, size: int = 5) -> None:
        rng = np.random.default_rng(seed)
        self.size = size
        self.table = rng.normal(size=(size, size, size)) * 1.5
        self.log_softmax = self.table - np.log(np.exp(self.table).sum(axis=-1, keepdims=True))
        self.calls = 0

    def first_state(self, batch: int) -> np.ndarray:
        return np.zeros(batch, dtype="int32")

    def step(self, previous, state):
        self.calls += 1
        before = np.asarray(state)
        return self.table[before, np.asarray(previous)], np.asarray(previous)

    def log_probability(self, sentence, before=0, previous=1):
        total = 0.0
        for symbol in sentence:
            total += self.log_softmax[before, previous, symbol]
            before, previous = previous, symbol
        return total

    def sentences(self, length: int) -> list[tuple[int, ...]]:
        """All that can be written: ended by EOS, or cut off at `length`."""
        found = []
        for size in range(1, length + 1):
            for sentence in itertools.product(range(self.size), repeat=size):
                ended = sentence[-1] == EOS
                if EOS not in sentence[:-1] and (ended or size == length):
                    found.append(sentence)
        return found


def without_padding(row) -> tuple[int, ...]:
    row = [int(symbol) for symbol in row]
    return tuple(row[: row.index(EOS) + 1] if EOS in row else row)
