"""Names of people leave a notebook, and nothing else does."""

import json
from typing import Any

import pytest

from rnnkit.course.collecting.privacy import REMOVED, without_names

USER = {"displayName": "Ada King", "userId": "0123456789"}


def notebook(**parts: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["x = 1"]} | parts
    return {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 0}


def cleaned(data: dict[str, Any]) -> dict[str, Any]:
    content, changed = without_names(json.dumps(data).encode())
    assert changed
    result: dict[str, Any] = json.loads(content)
    return result


def test_who_ran_a_cell_leaves_its_metadata() -> None:
    data = notebook(metadata={"executionInfo": {"status": "ok", "user": USER}, "id": "x"})
    assert cleaned(data)["cells"][0]["metadata"] == {"id": "x"}


def test_the_name_leaves_the_outputs_and_stays_in_what_the_student_wrote() -> None:
    output = {"output_type": "stream", "text": ["by Ada King.\n", "Ada Kingsley\n"]}
    data = notebook(
        metadata={"executionInfo": {"user": USER}}, outputs=[output], source=["# by Ada King"]
    )
    cell = cleaned(data)["cells"][0]
    assert cell["outputs"][0]["text"] == [f"by {REMOVED}.\n", "Ada Kingsley\n"]
    assert cell["source"] == ["# by Ada King"]


def test_authors_and_the_place_in_drive_leave_the_notebook() -> None:
    data = notebook()
    data["metadata"] = {
        "authors": [{"name": "Ada King"}],
        "colab": {"provenance": [{"file_id": "1x"}], "name": "Ada's lab.ipynb"},
        "kernelspec": {"name": "python3"},
    }
    assert cleaned(data)["metadata"] == {"kernelspec": {"name": "python3"}}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_unicode_are_cleaned_too(encoding: str) -> None:
    data = notebook(metadata={"executionInfo": {"user": USER}})
    content, changed = without_names(json.dumps(data).encode(encoding))
    assert changed
    assert json.loads(content)["cells"][0]["metadata"] == {}


@pytest.mark.parametrize("ending", [-1, -40])
def test_a_file_that_is_cut_off_loses_the_names_all_the_same(ending: int) -> None:
    text = json.dumps(notebook(metadata={"executionInfo": {"user": USER}}))[:ending]
    content, changed = without_names(text.encode())
    assert changed
    assert b"Ada" not in content and b"0123456789" not in content
    assert b'"source"' in content or ending == -40


@pytest.mark.parametrize(
    "content",
    [b"", b"no notebook", b'{"cells": [', json.dumps(notebook()).encode(), b"\xff\xfe\x00"],
)
def test_a_file_without_names_stays_as_it_is(content: bytes) -> None:
    assert without_names(content) == (content, False)


def test_a_word_about_authors_in_an_answer_changes_nothing() -> None:
    content = json.dumps(notebook(source='authors = {"displayName": 1}'), indent=3).encode()
    assert without_names(content) == (content, False)


def test_a_lone_half_of_a_character_does_no_harm() -> None:
    data = notebook(metadata={"executionInfo": {"user": USER}}, source="\ud83d")
    assert cleaned(data)["cells"][0]["metadata"] == {}


def test_a_file_nested_too_deep_does_no_harm() -> None:
    text = '{"displayName": "Ada King", "x": ' + "[" * 100_000
    assert b"Ada" not in without_names(text.encode())[0]
