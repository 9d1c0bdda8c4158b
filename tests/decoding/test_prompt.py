import numpy as np
import pytest
from table_model import EOS, TableModel

from rnnkit.decoding import beam_search, greedy, read_prompt


def test_writing_goes_on_as_if_the_prompt_had_been_written():
    model = TableModel(0)
    written = greedy(model.step, model.first_state(1), 1, 1, None, 9)
    prompt = np.concatenate([[[1]], written[:, :4]], axis=1)
    last, state = read_prompt(model.step, model.first_state(1), prompt)
    more = greedy(model.step, state, 1, bos_id=last, eos_id=None, max_length=5)
    np.testing.assert_array_equal(more, written[:, 4:])


def test_each_row_has_its_own_prompt():
    model = TableModel(1)
    prompts = np.array([[1, 2], [4, 4]])
    last, state = read_prompt(model.step, model.first_state(2), prompts)
    both = beam_search(model.step, state, 2, last, EOS, 4, width=2)
    last, state = read_prompt(model.step, model.first_state(1), prompts[1:])
    alone = beam_search(model.step, state, 1, last, EOS, 4, width=2)
    np.testing.assert_allclose(both.scores[1], alone.scores[0])


@pytest.mark.parametrize("prompt", [[1, 2], [[]], [[0.5]], np.zeros((2, 0), int)])
def test_what_is_no_prompt_is_refused(prompt):
    with pytest.raises(ValueError, match="prompt must be whole numbers"):
        read_prompt(TableModel(0).step, None, prompt)
