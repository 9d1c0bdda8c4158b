"""What is known of mutants is kept, and counts no more when its sources change."""

from pathlib import Path

from rnnkit.grading.mutants.cache import Cache, Trial, checks_used, key_of


def test_a_second_run_knows_what_the_first_found(tmp_path: Path) -> None:
    trial = Trial(True, "gives another result", ("q1-test",))
    Cache(tmp_path / "made" / "unit.jsonl").add("key", "name", trial)
    assert Cache(tmp_path / "made" / "unit.jsonl").get("key") == trial


def test_a_line_that_was_cut_off_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "unit.jsonl"
    Cache(path).add("key", "name", Trial(False, "the same"))
    path.write_text(path.read_text() + '{"key": "other", "cha')
    assert Cache(path).get("key") == Trial(False, "the same")
    assert Cache(path).get("other") is None


def test_key_depends_on_each_content_and_their_order() -> None:
    keys = {key_of("a", "b"), key_of("b", "a"), key_of("ab"), key_of("a", "c")}
    assert len(keys) == 4


def test_only_the_checks_that_a_cell_calls_count(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text(
        "from rnnkit.checks.first import one\nfrom rnnkit.checks.second import two\n"
    )
    (tmp_path / "first.py").write_text("from rnnkit.checks.base import help\n")
    (tmp_path / "second.py").write_text("two = 2\n")
    (tmp_path / "base.py").write_text("help = 1\n")
    before = checks_used(["checks.one(f)"], tmp_path)
    (tmp_path / "second.py").write_text("two = 3\n")
    assert checks_used(["checks.one(f)"], tmp_path) == before
    (tmp_path / "base.py").write_text("help = 2\n")
    assert checks_used(["checks.one(f)"], tmp_path) != before
