"""What a test cell's last value is worth, and what a kernel's reply can say."""

import nbformat.v4
import pytest
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import determine_grade
from tiny_unit import marked

from rnnkit.errors import KitError
from rnnkit.grading.execute import FencedExecute, PlainPartialCredit, RunRecord, fence_for
from rnnkit.grading.fence import Ability
from rnnkit.grading.outcome import Fence


def ending_in(text: str, record: RunRecord | None = None) -> NotebookNode:
    cell = marked(nbformat.v4.new_code_cell("share()"), "q1-test", 2, solution=False)
    cell.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": text})]
    PlainPartialCredit().preprocess_cell(cell, {"rnnkit": record or RunRecord()}, 0)
    return cell


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1.5", 1.5),
        ("0", 0),
        ("np.float64(0.0)", 0),
        ("np.float64(1e-03)", 0.001),
        ("np.float64(2.0)", 2),
        ("2.0000000000000004", 2),
        ("array(0.5)", 0.5),
        ("array([0.5], dtype=float32)", 0.5),
        ("<tf.Tensor: shape=(), dtype=float32, numpy=0.5>", 0.5),
        ("'all checks passed'", 2),
        ("array([0., 1.])", 2),
    ],
)
def test_points_are_those_of_the_number(text: str, points: float) -> None:
    assert determine_grade(ending_in(text))[0] == points


@pytest.mark.parametrize(
    ("text", "points"), [("2.5", 2), ("-1", 0), ("np.float64(-0.5)", 0), ("1e9", 2)]
)
def test_number_out_of_range_is_clamped_and_named(text: str, points: float) -> None:
    record = RunRecord()
    cell = ending_in(text, record)
    assert determine_grade(cell)[0] == points
    assert record.odd_points == ["q1-test"]
    assert text in cell.outputs[0].text


@pytest.mark.parametrize("text", ["nan", "inf", "np.float64(nan)", "-inf"])
def test_value_that_is_no_number_of_points_is_an_error_that_shows_it(text: str) -> None:
    record = RunRecord()
    cell = ending_in(text, record)
    assert determine_grade(cell)[0] == 0
    assert record.odd_points == ["q1-test"]
    assert text in cell.outputs[0].evalue


@pytest.mark.parametrize("text", ["0", "1.5", "2", "'all checks passed'"])
def test_usual_points_are_not_named(text: str) -> None:
    record = RunRecord()
    ending_in(text, record)
    assert record.odd_points == []


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "error", "ename": "PointsOutOfRange", "evalue": "", "traceback": []},
        {"output_type": "stream", "name": "stdout", "text": "[points] The check came to 7\n"},
    ],
)
def test_points_are_odd_only_where_a_number_is(output: dict[str, object]) -> None:
    record = RunRecord()
    cell = marked(nbformat.v4.new_code_cell("share()"), "q1-test", 2, solution=False)
    cell.outputs = [nbformat.from_dict(output)]
    PlainPartialCredit().preprocess_cell(cell, {"rnnkit": record}, 0)
    assert record.odd_points == []


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (
            {"status": "error", "ename": "ValueError", "evalue": "x", "traceback": ["x"]},
            "ValueError",
        ),
        ({"status": "error", "ename": "CellTimeoutError"}, "__main__.CellTimeoutError"),
        ({"status": "error", "ename": 5, "evalue": None, "traceback": [7]}, "5"),
        ({"status": "error", "ename": "CellNotRun\x00", "traceback": "x"}, "CellNotRun?"),
        ({"status": "ok"}, ""),
        ({}, ""),
        ([], ""),
        (None, ""),
    ],
)
def test_reply_of_a_kernel_ends_no_run_and_bears_no_name_of_ours(
    content: object, name: str
) -> None:
    cell = nbformat.v4.new_code_cell("f()")
    reply = {"header": {}, "content": content}
    FencedExecute().on_cell_executed(cell=cell, cell_index=0, execute_reply=reply)
    assert [output.ename for output in cell.outputs] == ([name] if name else [])


def test_end_of_a_cells_time_keeps_its_name() -> None:
    cell = nbformat.v4.new_code_cell("f()")
    ours = {"status": "error", "ename": "CellTimeoutError", "evalue": "x", "traceback": ["x"]}
    FencedExecute().on_cell_executed(cell=cell, cell_index=0, execute_reply={"content": ours})
    assert [output.ename for output in cell.outputs] == ["CellTimeoutError"]


@pytest.fixture
def no_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that can put up no fence."""
    ability = Ability(Fence.NONE, ("Use Linux 5.13 or newer.",))
    monkeypatch.setattr("rnnkit.grading.execute.probe", lambda: ability)


def test_machine_without_a_fence_is_refused_with_the_remedy(no_fence: None) -> None:
    with pytest.raises(KitError) as refused:
        fence_for("need")
    assert "Use Linux 5.13 or newer." in str(refused.value)
    assert "--no-sandbox" in str(refused.value)


def test_machine_without_a_fence_is_used_when_asked_to_try(no_fence: None) -> None:
    assert fence_for("try") is Fence.NONE


def test_fence_that_could_be_put_up_is_left_out_when_asked() -> None:
    assert fence_for("off") is Fence.NONE
