"""Percent scripts to notebooks."""

import json

import jupytext
import nbformat
import pytest

from rnnkit.course.notebooks import normalise, notebook_bytes, read_script
from rnnkit.errors import KitError


@pytest.fixture
def built(tmp_path, sound):
    """The notebook of a source, as the file holds it."""

    def build(source=sound):
        script = tmp_path / "unit.py"
        script.write_text(source, encoding="utf-8")
        return json.loads(notebook_bytes(read_script(script)))

    return build


def ids(notebook):
    return [cell["id"] for cell in notebook["cells"]]


def test_the_notebook_is_valid(built):
    notebook = built()
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)


def test_graded_cells_are_named_by_their_grade_id(built):
    assert [name for name in ids(built()) if name.startswith("q")] == [
        "q1-double",
        "q1-double-test",
        "q2-why",
    ]


def test_a_new_cell_leaves_the_ids_of_the_others(built, sound):
    before = ids(built())
    after = ids(
        built(
            sound.replace("# %% [markdown]\n# ## Why", "# %%\nx = 1\n\n\\g", 1).replace(
                "\\g", "# %% [markdown]\n# ## Why"
            )
        )
    )
    assert [name for name in after if name in before] == before
    assert len(after) == len(before) + 1


def test_equal_cells_get_different_ids(built):
    names = ids(built("# %%\nx = 1\n\n# %%\nx = 1\n\n# %%\nx = 1\n"))
    assert len(set(names)) == 3


def test_a_doubled_grade_id_still_gives_a_valid_notebook(built, sound):
    notebook = built(sound.replace("q1-double-test", "q1-double"))
    assert len(set(ids(notebook))) == len(notebook["cells"])


def test_what_jupytext_notes_about_the_script_stays_out(built):
    text = json.dumps(built())
    assert "jupytext_version" not in text
    assert "lines_to_next_cell" not in text


def test_the_pairing_stays_in(built):
    assert built()["metadata"]["jupytext"]["formats"] == "ipynb,py:percent"


def test_the_points_of_the_header_stay_in(built):
    assert built()["metadata"]["rnnkit"] == {"points": 3}


def test_a_save_in_jupyterlab_gives_the_same_script_and_notebook(built, sound, tmp_path):
    """The way there and back: what pairing writes to the script is what it came from."""
    first = built()
    saved = jupytext.writes(nbformat.reads(json.dumps(first), as_version=4), fmt="py:percent")
    assert built(saved) == first


def test_outputs_and_counts_go(sound):
    notebook = jupytext.reads(sound, fmt="py:percent")
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.execution_count = 7
    code.outputs = [nbformat.v4.new_output("stream", text="hello")]
    clean = next(c for c in normalise(notebook, paired=True).cells if c.cell_type == "code")
    assert (clean.execution_count, clean.outputs) == (None, [])


def test_text_in_other_scripts_stays_readable(tmp_path):
    script = tmp_path / "unit.py"
    script.write_text("# %% [markdown]\n# naïve Größe 注意\n", encoding="utf-8")
    content = notebook_bytes(read_script(script))
    assert "naïve Größe 注意" in content.decode("utf-8")
    assert content.endswith(b"}\n")


def test_a_script_that_cannot_be_read_is_named(tmp_path):
    script = tmp_path / "unit.py"
    script.write_bytes(b"# %% [markdown]\n# caf\xe9\n")
    with pytest.raises(KitError, match=r"unit\.py: UnicodeDecodeError"):
        read_script(script)


def test_a_header_that_is_no_yaml_is_named(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("# ---\n# jupyter:\n#   rnnkit: [\n# ---\n", encoding="utf-8")
    with pytest.raises(KitError, match=r"broken\.py"):
        read_script(script)
