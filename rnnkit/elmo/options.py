"""The sizes of a biLM, as its published options file names them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rnnkit.elmo.characters import MAX_CHARACTERS, TABLE_ROWS


@dataclass(frozen=True)
class BiLMOptions:
    """The sizes of a biLM.

    Taught in unit 07, section s31.

    Args:
        memory: Numbers in an LSTM's memory ("dim" in the file).
        projection: Numbers in a word's vector and in an LSTM's output.
        layers: LSTM layers in each direction.
        memory_clip: Limit of the memory, or None.
        output_clip: Limit of an LSTM's output, or None.
        skip_connections: From the second layer on, add a layer's input to its output.
        embedding: Numbers in a character's vector.
        filters: Pairs of a width and a number of filters.
        highways: Highway layers.
        activation: "relu" or "tanh", behind the convolutions.
        max_characters: Ids that stand for a word.

    Example:

    >>> small = BiLMOptions(memory=32, projection=8, filters=((1, 4), (2, 8)))
    >>> BiLMOptions.from_dict(small.to_dict()) == small
    True
    """

    memory: int
    projection: int
    filters: tuple[tuple[int, int], ...]
    layers: int = 2
    memory_clip: float | None = 3.0
    output_clip: float | None = 3.0
    skip_connections: bool = True
    embedding: int = 16
    highways: int = 1
    activation: str = "relu"
    max_characters: int = MAX_CHARACTERS

    @property
    def width(self) -> int:
        """Numbers in a vector of one layer, both directions together."""
        return 2 * self.projection

    @property
    def is_projected(self) -> bool:
        """Whether a word's filters are projected: not where they have the right size already."""
        return sum(count for _, count in self.filters) != self.projection

    @classmethod
    def from_dict(cls, options: dict[str, Any], source: str = "options") -> "BiLMOptions":
        """Read what an options file holds.

        Args:
            options: The parts `lstm` and `char_cnn`, as published.
            source: What an error calls them.

        Raises:
            ValueError: A part is missing or has an impossible value.
        """
        try:
            lstm, characters = options["lstm"], options["char_cnn"]
            made = cls(
                memory=_whole(lstm["dim"], "lstm.dim", 1),
                projection=_whole(lstm["projection_dim"], "lstm.projection_dim", 1),
                layers=_whole(lstm["n_layers"], "lstm.n_layers", 1),
                memory_clip=_clip(lstm.get("cell_clip"), "lstm.cell_clip"),
                output_clip=_clip(lstm.get("proj_clip"), "lstm.proj_clip"),
                skip_connections=bool(lstm.get("use_skip_connections", False)),
                embedding=_whole(characters["embedding"]["dim"], "char_cnn.embedding.dim", 1),
                filters=tuple(_filter(pair) for pair in characters["filters"]),
                highways=_whole(characters.get("n_highway") or 0, "char_cnn.n_highway", 0),
                activation=characters.get("activation", "relu"),
                max_characters=_whole(
                    characters["max_characters_per_token"], "char_cnn.max_characters_per_token", 3
                ),
            )
            rows = characters.get("n_characters", TABLE_ROWS + 1)
        except KeyError as error:
            raise ValueError(
                f"{source}: expected the published options of a biLM with character inputs. "
                f"Received: no {error.args[0]!r}"
            ) from error
        except (TypeError, AttributeError) as error:
            raise ValueError(
                f"{source}: expected the published options of a biLM. Received: {error}"
            ) from error
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from error
        if rows not in (TABLE_ROWS, TABLE_ROWS + 1):
            raise ValueError(
                f"{source}: expected char_cnn.n_characters to be 262, or 261 in a file for "
                f"training. Received: {rows!r}"
            )
        if made.activation not in ("relu", "tanh"):
            raise ValueError(
                f"{source}: expected char_cnn.activation to be 'relu' or 'tanh'. "
                f"Received: {made.activation!r}"
            )
        return made

    @classmethod
    def from_file(cls, path: str | Path) -> "BiLMOptions":
        """Read an options file.

        Args:
            path: The file.

        Raises:
            ValueError: It is no JSON, or no options of a biLM.
        """
        text = Path(path).read_text(encoding="utf-8")
        try:
            options = json.loads(text)
        except ValueError as error:
            raise ValueError(
                f"{path}: expected the options of a biLM as JSON. Received: {error}"
            ) from error
        return cls.from_dict(options, str(path))

    def to_dict(self) -> dict[str, Any]:
        """What an options file holds, for a biLM that serves prediction."""
        return {
            "lstm": {
                "use_skip_connections": self.skip_connections,
                "projection_dim": self.projection,
                "cell_clip": self.memory_clip,
                "proj_clip": self.output_clip,
                "dim": self.memory,
                "n_layers": self.layers,
            },
            "char_cnn": {
                "activation": self.activation,
                "filters": [list(pair) for pair in self.filters],
                "n_highway": self.highways,
                "embedding": {"dim": self.embedding},
                "n_characters": TABLE_ROWS + 1,  # the row of zeros counts here
                "max_characters_per_token": self.max_characters,
            },
        }


def _whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(
            f"expected {name} to hold whole numbers of at least {least}. Received: {value!r}"
        )
    return value


def _filter(pair: Any) -> tuple[int, int]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise ValueError(
            f"expected char_cnn.filters to hold pairs of a width and a number. Received: {pair!r}"
        )
    width, count = (_whole(number, "char_cnn.filters", 1) for number in pair)
    return width, count


def _clip(value: Any, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError(f"expected {name} to be above 0. Received: {value!r}")
    return float(value)
