"""Reading the beginning of a text before going on with it."""

from typing import Any

import numpy as np

from rnnkit.decoding.loop import StepFunction


def read_prompt(step: StepFunction, state: Any, prompt: np.ndarray) -> tuple[np.ndarray, Any]:
    """Show a step function the beginning of each sentence.

    `greedy`, `sample` and `beam_search` go on from what this returns. Taught in
    unit 03, section s9.

    Args:
        step: As for `greedy`.
        state: The state before the first symbol.
        prompt: `(batch, time)`, whole numbers, at least one symbol and no
            padding: the rows must be equally long.

    Returns:
        The last symbol of each row, `(batch,)`, which the next step is to see
        (pass it as `bos_id`), and the state before that step.

    Raises:
        ValueError: `prompt` has another shape or type, or no symbol.

    Example:

    >>> from rnnkit.decoding import greedy
    >>> def count_up(previous, state):
    ...     return np.eye(9)[np.minimum(previous + 1, 8)], state
    >>> last, state = read_prompt(count_up, None, np.array([[2, 3, 4]]))
    >>> greedy(count_up, state, 1, bos_id=last, eos_id=8, max_length=9).tolist()
    [[5, 6, 7, 8]]
    """
    prompt = np.asarray(prompt)
    if prompt.ndim != 2 or not prompt.shape[1] or not np.issubdtype(prompt.dtype, np.integer):
        raise ValueError(
            "prompt must be whole numbers, (batch, time), with at least one symbol in each row. "
            f"Received: {prompt.dtype}, shape {prompt.shape}"
        )
    for column in prompt[:, :-1].T:
        _, state = step(column, state)
    return prompt[:, -1], state
