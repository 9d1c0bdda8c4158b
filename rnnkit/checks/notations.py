"""Checks for unit 02: from one notation of LSTM and GRU to another, and how many weights."""

from collections.abc import Iterable

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import Function, random_numbers
from rnnkit.checks.left_alone import inputs_left_alone

Array = np.ndarray
Gates = dict[str, Array]  # one array for each gate


@check
def keras_weights(answer: Function, seed: int = 0) -> None:
    """Check `answer(W, U, b)`, section s6: a textbook's LSTM in Keras's form.

    The textbook multiplies columns from the left, `σ(U_f h + W_f x + b_f)`, and
    has a matrix for each gate. Keras multiplies rows from the right, and has
    the blocks i, f, g, o side by side.

    Args:
        answer: The student's function of three dicts with the keys "f", "i",
            "o" and "g": W, each `(units, features)`, U, each `(units, units)`,
            and b, each `(units,)`. It returns kernel, `(features, 4 units)`,
            recurrent_kernel, `(units, 4 units)`, and bias, `(4 units,)`.
        seed: For the random weights.

    Raises:
        AssertionError: An array is not right.
    """

    def blocks(order: str) -> Function:
        return lambda W, U, b: _joined(W, U, b, order)

    def below(W: Gates, U: Gates, b: Gates) -> dict[str, Array]:
        kernel, recurrent = (np.concatenate([part[gate] for gate in "ifgo"]) for part in (W, U))
        return {**_joined(W, U, b), "kernel": kernel, "recurrent_kernel": recurrent}

    expect_answers(
        "keras_weights(W, U, b)",
        answer,
        {
            "": _textbook(3, 3, seed),
            "another size of the inputs": _textbook(2, 4, seed + 20),
            "one unit": _textbook(5, 1, seed + 40),
        },
        _joined,
        {
            "The blocks stand in the order of the textbook, f, i, o, g. Keras's order is i, f, g, "
            "o.": blocks("fiog"),
            "The blocks of the candidate and the output gate are swapped. Keras's order is i, f, "
            "g, o.": blocks("ifog"),
            "The blocks of the input gate and the forget gate are swapped. Keras's order is i, f, "
            "g, o.": blocks("figo"),
            "The blocks stand in another order. Keras's order is i, f, g, o.": [
                blocks(order) for order in ("igfo", "gifo", "foig", "ofig", "ogif")
            ],
            "The matrices are right; the blocks of the bias stand in the order of the textbook. "
            "They need Keras's order too: i, f, g, o.": lambda W, U, b: {
                **_joined(W, U, b),
                "bias": np.concatenate(list(b.values())),
            },
            "W and U are not transposed: the textbook multiplies columns from the left, Keras "
            "rows from the right.": lambda W, U, b: _joined(_turned(W), _turned(U), b),
            "U is not transposed: the textbook has U h, Keras h U.": (
                lambda W, U, b: _joined(W, _turned(U), b)
            ),
            "W is not transposed: the textbook has W x, Keras x W.": (
                lambda W, U, b: _joined(_turned(W), U, b)
            ),
            "The blocks stand below each other; transpose each, and put them side by side.": [
                below,
                lambda W, U, b: below(_turned(W), _turned(U), b),
            ],
            "The matrices have a new shape, but they are not transposed: reshape leaves the "
            "numbers in their order.": lambda W, U, b: _joined(_reshaped(W), _reshaped(U), b),
            "W and U are swapped: W makes the kernel, U the recurrent kernel.": (
                lambda W, U, b: _joined(U, W, b)
            ),
        },
    )


def _joined(W: Gates, U: Gates, b: Gates, order: str = "ifgo") -> dict[str, Array]:
    return {
        "kernel": np.concatenate([W[gate].T for gate in order], axis=-1),
        "recurrent_kernel": np.concatenate([U[gate].T for gate in order], axis=-1),
        "bias": np.concatenate([b[gate] for gate in order]),
    }


def _turned(matrices: Gates) -> Gates:
    return {gate: matrix.T for gate, matrix in matrices.items()}


def _reshaped(matrices: Gates) -> Gates:
    """What is the right shape once it is transposed, with the numbers in their old order."""
    return {gate: matrix.reshape(matrix.shape[::-1]).T for gate, matrix in matrices.items()}


def _textbook(features: int, units: int, seed: int) -> tuple[Gates, ...]:
    shapes = [(units, features), (units, units), (units,)]
    return tuple(
        {
            gate: random_numbers(seed + 4 * place + number, *shape)
            for number, gate in enumerate("fiog")
        }
        for place, shape in enumerate(shapes)
    )


@check
def turned_update_gate(answer: Function, seed: int = 0) -> None:
    """Check `answer(kernel, recurrent_kernel, bias)`, section s6: a GRU whose z lets the new in.

    Some books write `h' = (1 - z) ⊙ h + z ⊙ g`, Keras `h' = z ⊙ h + (1 - z) ⊙ g`.
    As `σ(-a) = 1 - σ(a)`, the two agree where the block of z has the other sign.

    Args:
        answer: The student's function of the weights of such a book's GRU, in
            blocks z, r, g: kernel `(features, 3 units)`, recurrent_kernel
            `(units, 3 units)` and bias `(2, 3 units)`. It returns three
            new arrays for a GRU of Keras that computes the same, and leaves these as
            they are.
        seed: For the random weights.

    Raises:
        AssertionError: An array is not right.
    """

    def signs(kernel: int = 0, recurrent_kernel: int = 0, bias: int = 0) -> Function:
        """Which block gets the other sign; -1 for none."""
        chosen = (kernel, recurrent_kernel, bias)

        def change(*weights: Array) -> dict[str, Array]:
            return _named(
                array
                * np.where(np.arange(array.shape[-1]) // (array.shape[-1] // 3) == block, -1, 1)
                for array, block in zip(weights, chosen, strict=True)
            )

        return change

    def first_block(change: Function) -> Function:
        def changed(*weights: Array) -> dict[str, Array]:
            return _named(
                np.concatenate([change(part[0]), *part[1:]], axis=-1)
                for part in (np.split(array, 3, axis=-1) for array in weights)
            )

        return changed

    def swapped(order: list[int]) -> Function:
        return lambda *weights: _named(
            np.concatenate([np.split(array, 3, axis=-1)[block] for block in order], axis=-1)
            for array in weights
        )

    def row_of_bias(row: int) -> Function:
        def change(kernel: Array, recurrent_kernel: Array, bias: Array) -> dict[str, Array]:
            new = signs()(kernel, recurrent_kernel, bias)
            new["bias"][1 - row] = bias[1 - row]
            return new

        return change

    expect_answers(
        "turned_update_gate(kernel, recurrent_kernel, bias)",
        answer,
        {
            "": _gru_weights(4, 4, seed),
            "another size of the inputs": _gru_weights(3, 5, seed + 1),
            "one unit": _gru_weights(2, 1, seed + 2),
        },
        signs(),
        {
            "All three blocks have the other sign; only the block of z should.": lambda *weights: (
                _named(-array for array in weights)
            ),
            "This is the block of r. Keras's order is z, r, g.": signs(1, 1, 1),
            "This is the block of the candidate. Keras's order is z, r, g.": signs(2, 2, 2),
            "The bias is as it was: its block of z needs the other sign too.": signs(bias=-1),
            "The recurrent kernel is as it was: its block of z needs the other sign too.": signs(
                recurrent_kernel=-1
            ),
            "Only the kernel is changed; the recurrent kernel and the bias need it too.": signs(
                recurrent_kernel=-1, bias=-1
            ),
            "The bias has two rows; both need the other sign in the block of z.": [
                row_of_bias(0),
                row_of_bias(1),
            ],
            "The biases of all blocks have the other sign; only those of z should. The bias has "
            "two rows: its blocks lie along the last axis.": lambda kernel, recurrent, bias: {
                **signs()(kernel, recurrent, bias),
                "bias": np.concatenate([-bias[: len(recurrent)], bias[len(recurrent) :]]),
            },
            "The block of z became 1 minus itself. It is the gate that should become 1 - z, not "
            "its weights: σ(-a) = 1 - σ(a).": first_block(lambda block: 1 - block),
            "The block of z became 1 divided by itself; it needs the other sign.": first_block(
                lambda block: 1 / block
            ),
            "The blocks have changed places. Only the sign of the block of z should change.": [
                swapped([2, 1, 0]),
                swapped([1, 0, 2]),
            ],
            "The weights are as they were.": signs(-1, -1, -1),
        },
    )
    inputs_left_alone(answer, **_named(_gru_weights(4, 4, seed)))


def _named(weights: Iterable[Array]) -> dict[str, Array]:
    return dict(zip(("kernel", "recurrent_kernel", "bias"), weights, strict=True))


def _gru_weights(features: int, units: int, seed: int) -> tuple[Array, ...]:
    shapes = [(features, 3 * units), (units, 3 * units), (2, 3 * units)]
    return tuple(random_numbers(seed + 90 + place, *shape) for place, shape in enumerate(shapes))


_KINDS = ("Elman", "LSTM", "GRU")


@check
def weights_count(answer: Function, seed: int = 0) -> None:
    """Check `answer(kind, features, units)`, section s6: how many numbers a layer learns.

    Args:
        answer: The student's function of "Elman", "LSTM" or "GRU" and the two
            sizes; it returns how many weights the layer of Keras has, with
            biases. Keras's GRU has two rows of them.
        seed: For the sizes.

    Raises:
        AssertionError: The number is another.
    """

    def count(
        blocks: tuple[int, int, int] = (1, 4, 3),
        rows: tuple[int, int, int] = (1, 1, 2),
        inputs: int = 1,
        states: int = 1,
    ) -> Function:
        """By kind: blocks and rows of the bias; and whether the two kernels count."""

        def numbers(kind: str, features: int, units: int) -> int:
            place = _KINDS.index(kind)
            each = inputs * features + states * units + rows[place]
            return blocks[place] * units * each

        return numbers

    sizes = np.random.default_rng(seed).permutation(np.arange(2, 40))[:6].tolist()
    expect_answers(
        "weights_count(kind, features, units)",
        answer,
        {
            f"{kind}, {sizes[2 * place]} features and {sizes[2 * place + 1]} units": (
                kind,
                sizes[2 * place],
                sizes[2 * place + 1],
            )
            for place, kind in enumerate(_KINDS)
        },
        count(),
        {
            "The GRU of Keras has two rows of biases, one for the input's part and one for the "
            "state's.": count(rows=(1, 1, 1)),
            "The biases are left out.": count(rows=(0, 0, 0)),
            "Each kind has two rows of biases here; in Keras only the GRU has.": count(
                rows=(2, 2, 2)
            ),
            "The LSTM of Keras has one row of biases; that of PyTorch has two.": count(
                rows=(1, 2, 2)
            ),
            "The simple net of Keras has one row of biases; that of PyTorch has two.": count(
                rows=(2, 1, 2)
            ),
            "The recurrent kernel is left out.": count(states=0),
            "The kernel of the inputs is left out.": count(inputs=0),
            "The GRU has 3 blocks: z, r and the candidate.": [
                count((1, 4, 4)),
                count((1, 4, 2)),
                count((1, 4, 4), (1, 1, 1)),
                count((1, 4, 2), (1, 1, 1)),
            ],
            "The LSTM has 4 blocks: three gates and the candidate.": [
                count((1, 3, 3)),
                count((1, 3, 3), (1, 1, 1)),
            ],
            "The blocks are left out: each gate has its own weights.": [
                count((1, 1, 1)),
                count((1, 1, 1), (1, 1, 1)),
            ],
            "Features and units are swapped.": lambda kind, features, units: count()(
                kind, units, features
            ),
        },
        tolerance=1e-6,
    )
