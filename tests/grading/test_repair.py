"""Whatever happens to a notebook's cells, the answers that are still there are graded."""

import copy
import json
from pathlib import Path

import nbformat
import pytest
from damages import (
    ANSWERS,
    DOUBLE,
    NAMES,
    PAIR,
    TABLE,
    UNIT,
    at,
    canon,
    change,
    delete,
    lose_marks_and_id,
    mark,
    notebook_of,
    plain,
    right,
    source,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.notebooknode import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator

from rnnkit.grading.canon import same_text
from rnnkit.grading.limits import Limits
from rnnkit.grading.mending import Weight
from rnnkit.grading.preflight import Preflight, preflight

CANON = canon()
NOTHING = Path("/nowhere")


def mended(data: object, folder: Path) -> Preflight:
    folder.mkdir(exist_ok=True)
    (folder / f"{UNIT}.ipynb").write_text(json.dumps(data), encoding="utf-8")
    return preflight(folder, CANON, Limits(), NOTHING)


def named(result: Preflight) -> dict[str, NotebookNode]:
    assert result.notebook is not None, result.note
    return {
        cell.metadata.nbgrader.grade_id: cell
        for cell in result.notebook.cells
        if "nbgrader" in cell.metadata
    }


def check_canonical(result: Preflight) -> None:
    """Each cell of the exercise is there once, as the exercise has it."""
    assert result.notebook is not None, result.note
    nbformat.validate(result.notebook)
    MetadataValidator().validate_nb(result.notebook)  # a job leaves this check out
    cells = [cell for cell in result.notebook.cells if "nbgrader" in cell.metadata]
    assert sorted(cell.metadata.nbgrader.grade_id for cell in cells) == sorted(NAMES)
    for cell in CANON.named:
        found = named(result)[cell.name]
        assert found.metadata == cell.metadata
        assert found.cell_type == cell.cell_type
        assert cell.is_answer or found.source == cell.source


def parts_of(answer: str) -> list[str]:
    return [line.strip() for line in answer.splitlines() if line.strip()]


@pytest.mark.parametrize("name", TABLE)
def test_damage_is_mended_with_the_answers_in_place(name: str, tmp_path: Path) -> None:
    data = right()
    TABLE[name](data)
    result = mended(data, tmp_path / "in")
    check_canonical(result)
    for answer, text in ANSWERS.items():
        assert parts_of(named(result)[answer].source) == parts_of(text), answer


@pytest.mark.parametrize("name", TABLE)
def test_mended_notebook_runs_each_cell_after_what_it_needs(name: str, tmp_path: Path) -> None:
    data = right()
    TABLE[name](data)
    notebook = mended(data, tmp_path / "in").notebook
    assert notebook is not None
    names: dict[str, object] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and "nbgrader" in cell.metadata:
            exec(cell.source, names)


@pytest.mark.parametrize("name", TABLE)
def test_mended_notebook_needs_no_more_mending(name: str, tmp_path: Path) -> None:
    data = right()
    TABLE[name](data)
    once = mended(data, tmp_path / "in")
    twice = mended(json.loads(nbformat.writes(once.notebook)), tmp_path / "again")
    assert [m for m in twice.mendings if m.weight is not Weight.NOTE] == [
        m for m in twice.mendings if "another exercise" in m.for_instructor
    ]
    assert nbformat.writes(twice.notebook) == nbformat.writes(once.notebook)


def test_names_from_the_file_are_shown_as_plain_text(tmp_path: Path) -> None:
    data = right()
    marks = {"grade_id": "x\x1b[2J\n\u202e" + "y" * 500, "grade": True}
    data["cells"].append(plain("code", "z = 1") | {"metadata": {"nbgrader": marks}})
    mendings = mended(data, tmp_path / "in").mendings
    [words] = [m.for_instructor for m in mendings if "another exercise" in m.for_instructor]
    assert "x?[2J??y" in words
    assert words.isprintable() and len(words) < 200
    assert all(mending.for_student.isprintable() for mending in mendings)


UNHARMED = ("nothing", "ids doubled", "Colab", "widgets without state", "another kernel",
            "a later format", "nbgrader's first metadata", "metadata of wrong kinds",
            "cells of the student's own", "structure broken", "points gone")  # fmt: skip
TAMPERED = ("points edited", "points of a wrong kind", "test marked as no test",
            "test marked as an answer", "answer marked as locked")  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_weight_of_a_damage(name: str, tmp_path: Path) -> None:
    data = right()
    TABLE[name](data)
    weights = {mending.weight for mending in mended(data, tmp_path / "in").mendings}
    heaviest = next((w for w in (Weight.TAMPER, Weight.REPAIR) if w in weights), None)
    if name in UNHARMED:
        assert heaviest is None
    else:
        assert heaviest is (Weight.TAMPER if name in TAMPERED else Weight.REPAIR)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(sorted(TABLE)), min_size=1, max_size=5))
def test_any_damages_together_lose_no_answer(
    tmp_path_factory: pytest.TempPathFactory, damages: list[str]
) -> None:
    data = right()
    # What breaks the file's structure comes last: the others need one.
    for name in sorted(dict.fromkeys(damages), key=lambda name: name == "structure broken"):
        TABLE[name](data)
    present = [cell["source"] for cell in data["cells"] if isinstance(cell, dict)]
    present = ["".join(text) if isinstance(text, list) else text or "" for text in present]
    result = mended(data, tmp_path_factory.mktemp("in"))
    check_canonical(result)
    for name, answer in ANSWERS.items():
        if answer in present:
            assert answer in named(result)[name].source, name


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "metadata", "source", "nbgrader", "grade_id", "id", "tags"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_junk_in_any_place_of_the_file_never_raises(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    notebook = right()
    for _ in range(data.draw(st.integers(1, 4))):
        spot: object = notebook
        key: object = "cells"
        for _ in range(data.draw(st.integers(0, 4))):
            inside = spot[key]  # type: ignore[index]
            if not isinstance(inside, dict | list) or not inside:
                break
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            spot, key = inside, data.draw(st.sampled_from(keys))
        spot[key] = data.draw(JUNK)  # type: ignore[index]
    result = mended(notebook, tmp_path_factory.mktemp("in"))
    if result.notebook is not None:
        check_canonical(result)
    else:
        assert result.note


def test_of_several_versions_the_last_whole_one_is_graded(tmp_path: Path) -> None:
    data = right()
    index = at(data, "q1-double")
    assert index is not None
    for number, text in enumerate(["def double(x):\n    return x * 2", "def double(x:"]):
        version = copy.deepcopy(data["cells"][index]) | {"source": text, "id": f"v{number}"}
        data["cells"].insert(index + 1 + number, version)
    result = mended(data, tmp_path / "in")
    assert named(result)["q1-double"].source == "def double(x):\n    return x * 2"
    assert result.notebook is not None
    raw = [cell.source for cell in result.notebook.cells if cell.cell_type == "raw"]
    assert [DOUBLE in text or "double(x:" in text for text in raw] == [True, True]


def test_copy_that_is_still_the_stub_loses_against_the_answer(tmp_path: Path) -> None:
    data = right()
    index = at(data, "q1-double")
    assert index is not None
    stub = next(cell.source for cell in CANON.named if cell.name == "q1-double")
    data["cells"].append(copy.deepcopy(data["cells"][index]) | {"source": stub, "id": "late"})
    assert named(mended(data, tmp_path / "in"))["q1-double"].source == DOUBLE


@pytest.mark.parametrize("below_the_test", [True, False])
def test_answer_in_a_new_cell_is_found(below_the_test: bool, tmp_path: Path) -> None:
    data = right()
    change("q3-pair", delete)(data)
    index = at(data, "q3-pair-test")
    assert index is not None
    data["cells"].insert(index + below_the_test, plain("code", PAIR))
    assert named(mended(data, tmp_path / "in"))["q3-pair"].source == PAIR


def test_answer_below_its_test_is_used_when_its_cell_is_empty(tmp_path: Path) -> None:
    data = right()
    change("q3-pair", source(""))(data)
    data["cells"].append(plain("code", PAIR))
    assert named(mended(data, tmp_path / "in"))["q3-pair"].source == PAIR


def test_answer_written_into_the_test_cell_is_used(tmp_path: Path) -> None:
    data = right()
    change("q3-pair", source(""))(data)
    change("q3-pair-test", source(PAIR + "\nassert decode(1) == 0"))(data)
    result = mended(data, tmp_path / "in")
    assert PAIR in named(result)["q3-pair"].source
    assert "q3-pair" in " ".join(m.for_student for m in result.mendings)


@pytest.mark.parametrize("above", [True, False])
def test_words_beside_their_cell_are_put_in(above: bool, tmp_path: Path) -> None:
    data = right()
    change("q4-why", source("YOUR ANSWER HERE"))(data)
    index = at(data, "q4-why")
    assert index is not None
    data["cells"].insert(index + (not above), plain("markdown", "Because of arithmetic."))
    assert named(mended(data, tmp_path / "in"))["q4-why"].source == "Because of arithmetic."


def test_words_in_the_question_itself_are_left_to_a_person(tmp_path: Path) -> None:
    data = right()
    change("q4-why", source("YOUR ANSWER HERE"))(data)
    index = at(data, "q4-why")
    assert index is not None
    data["cells"][index - 1]["source"] += "\n\nBecause of arithmetic."
    assert mended(data, tmp_path / "in").doubtful == ["q4-why"]


def test_answer_that_is_gone_is_put_back_unanswered_and_said(tmp_path: Path) -> None:
    data = right()
    change("q1-double", delete)(data)
    result = mended(data, tmp_path / "in")
    assert "NotImplementedError" in named(result)["q1-double"].source
    assert "count as not answered: q1-double" in " ".join(m.for_student for m in result.mendings)
    assert result.doubtful == []


def test_answer_that_may_be_in_own_cells_is_left_to_a_person(tmp_path: Path) -> None:
    data = right()
    change("q1-double", delete)(data)
    data["cells"].insert(3, plain("code", "twice = lambda x: 2 * x"))
    data["cells"].insert(4, plain("code", "twice(2)"))
    assert mended(data, tmp_path / "in").doubtful == ["q1-double-test"]


def test_helpers_move_with_the_answer_that_needs_them(tmp_path: Path) -> None:
    data = right()
    change("q1-double", source("def double(x):\n    return helper(x) + x"))(data)
    change("q1-double", lambda cells, i: cells.append(cells.pop(i)))(data)
    data["cells"].insert(-1, plain("code", "def helper(x):\n    return x"))
    notebook = mended(data, tmp_path / "in").notebook
    assert notebook is not None
    sources = [cell.source for cell in notebook.cells]
    order = [next(i for i, s in enumerate(sources) if words in s)
             for words in ("def helper", "def double", "assert close(double(2)")]  # fmt: skip
    assert order == sorted(order)


def test_cells_moved_together_that_still_run_are_left(tmp_path: Path) -> None:
    data = right()
    for name in ("q3-pair", "q3-pair-test"):
        change(name, lambda cells, i: cells.append(cells.pop(i)))(data)
    assert mended(data, tmp_path / "in").mendings == []


def test_tag_that_skips_a_test_is_taken_off(tmp_path: Path) -> None:
    data = right()
    index = at(data, "q1-double-test")
    assert index is not None
    data["cells"][index]["metadata"]["tags"] = ["skip-execution"]
    result = mended(data, tmp_path / "in")
    check_canonical(result)
    assert [mending.weight for mending in result.mendings] == [Weight.TAMPER]


def test_swapped_marks_of_two_answers_lose_neither(tmp_path: Path) -> None:
    data = right()
    one, other = at(data, "q1-double"), at(data, "q1-double-test")
    assert one is not None
    assert other is not None
    cells = data["cells"]
    cells[one]["metadata"], cells[other]["metadata"] = (
        cells[other]["metadata"],
        cells[one]["metadata"],
    )
    result = mended(data, tmp_path / "in")
    check_canonical(result)
    assert DOUBLE in named(result)["q1-double"].source


def test_notebook_of_another_exercise_is_unreadable(tmp_path: Path) -> None:
    data = right()
    data["cells"] = [plain("code", "x = 1"), plain("markdown", "An essay.")]
    result = mended(data, tmp_path / "in")
    assert result.notebook is None
    assert "another notebook" in result.note


def test_person_and_outputs_are_not_kept(tmp_path: Path) -> None:
    data = right()
    TABLE["Colab"](data)
    text = nbformat.writes(mended(data, tmp_path / "in").notebook)
    assert "Lovelace" not in text
    assert "Ada" not in text
    assert "xxx" not in text


def test_picture_in_a_written_answer_is_kept(tmp_path: Path) -> None:
    data = right()
    index = at(data, "q4-why")
    assert index is not None
    data["cells"][index]["attachments"] = {"a.png": {"image/png": "aGVsbG8="}}
    assert named(mended(data, tmp_path / "in"))["q4-why"].attachments == {
        "a.png": {"image/png": "aGVsbG8="}
    }


def test_exercise_as_released_needs_no_mending(tmp_path: Path) -> None:
    result = mended(json.loads(nbformat.writes(notebook_of("released"))), tmp_path / "in")
    assert result.mendings == []
    assert all(same_text(named(result)[c.name].source, c.source) for c in CANON.named)


def test_stale_name_of_marks_that_were_taken_off_still_counts(tmp_path: Path) -> None:
    data = right()
    change("q1-double-test", mark(grade=False, solution=False, locked=False))(data)
    check_canonical(mended(data, tmp_path / "in"))


def test_two_answers_without_marks_are_told_apart(tmp_path: Path) -> None:
    data = right()
    for name in ("q4-why", "q5-more"):
        change(name, lose_marks_and_id)(data)
    result = named(mended(data, tmp_path / "in"))
    assert (result["q4-why"].source, result["q5-more"].source) == (
        ANSWERS["q4-why"],
        ANSWERS["q5-more"],
    )
