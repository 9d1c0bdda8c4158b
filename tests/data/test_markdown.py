import subprocess
import sys
from pathlib import Path

from rnnkit.data import DataInfo, registry, sets
from rnnkit.data.markdown import markdown_table

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")


def test_the_page_on_data_holds_the_table_of_all_sets():
    assert markdown_table() in PAGE, "put into docs/data.md what python -m rnnkit.data prints"


def test_the_table_has_a_line_for_each_set():
    lines = markdown_table().splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == [info.name for info in sets()]


def test_each_line_of_the_table_has_the_same_cells():
    assert {line.count("|") for line in markdown_table().splitlines()} == {8}


def test_a_bar_in_a_cell_is_escaped(monkeypatch):
    info = DataInfo("numbers", "generated", "a|b", "any count", "MIT", "this test")
    monkeypatch.setattr(registry, "_INFOS", {"numbers": info})
    assert r"| a\|b |" in markdown_table()


def test_the_module_prints_the_table():
    command = [sys.executable, "-m", "rnnkit.data"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == f"{markdown_table()}\n"
