"""What mutants show of a course's tests, as a page in Markdown and as lines."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from rnnkit.course.kit import Kit
from rnnkit.grading.mutants.trials import Tried

__all__ = ["explained", "markdown", "summary"]

REASONS = "tests/mutants/survivors.toml"


def explained(kit: Kit) -> dict[str, Any]:
    """What people wrote of survivors: why one stands, or which test was added for it.

    Args:
        kit: The kit; its file may be missing.
    """
    path = kit.root / REASONS
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _counts(tried: Sequence[Tried]) -> tuple[int, int, int, int, int]:
    """Made, same, changed, killed, survived."""
    changed = [each for each in tried if each.trial.changed]
    survived = sum(each.trial.survived for each in changed)
    same = len(tried) - len(changed)
    return len(tried), same, len(changed), len(changed) - survived, survived


def summary(unit: str, tried: Sequence[Tried]) -> str:
    """A line of the counts.

    Args:
        unit: The unit.
        tried: Its mutants.
    """
    made, same, changed, killed, survived = _counts(tried)
    return (
        f"{unit}: {made} made, {same} the same, {changed} changed, "
        f"{killed} killed, {survived} survived"
    )


def markdown(
    results: Mapping[str, Sequence[Tried]], reasons: Mapping[str, Any], most: int, seed: int
) -> str:
    """The report.

    Args:
        results: The mutants of each unit.
        reasons: What `explained` gives: ``stands`` and ``mended``, each from a mutant's name to
            words.
        most: The most mutants of one answer.
        seed: The seed.
    """
    rows = {unit: _counts(tried) for unit, tried in results.items()}
    total = tuple(sum(column) for column in zip(*rows.values(), strict=True))
    everyone = [each for tried in results.values() for each in tried]
    share = 100 * total[3] / total[2] if total[2] else 100.0
    parts = [
        "# Mutants of the reference's answers\n",
        f"```\nrnnkit mutants --all --most {most} --seed {seed} --jobs 2 "
        "--report docs/reports/mutants.md\n```\n",
        "A mutant is an answer of the reference with one small change. It counts as changed when "
        "its outputs differ by more than 0.00001 from those of the reference on inputs drawn at "
        "random, or when it raises an error or does not end where the reference does. Those that "
        f"changed are graded, by the referee. {total[3]} of {total[2]} lose points "
        f"({share:.1f} %). Answers that train a model are left out: with another size or rate "
        "they are right answers too. See [authors.md](../authors.md#mutants).\n",
        "| unit | made | same | changed | killed | survived |\n"
        "| --- | --- | --- | --- | --- | --- |",
        *(_row(unit, counts) for unit, counts in rows.items()),
        _row("all", total),
        "\n## Each answer\n",
        "| answer | made | same | changed | killed | survived |\n"
        "| --- | --- | --- | --- | --- | --- |",
        *(_row(name, _counts(tried)) for name, tried in _by_cell(everyone).items()),
        "\n## Survivors\n",
        *_survivors(everyone, reasons.get("stands", {})),
        "\n## Tests that were added for survivors\n",
        *(f"- {name}: {words}" for name, words in reasons.get("mended", {}).items()),
        "\n## The same\n",
        "No input showed a difference to the reference.\n",
        *_blocks(each for each in everyone if not each.trial.changed),
    ]
    return "\n".join(parts) + "\n"


def _row(name: str, counts: Sequence[int]) -> str:
    return f"| {name} | " + " | ".join(map(str, counts)) + " |"


def _by_cell(tried: Sequence[Tried]) -> dict[str, list[Tried]]:
    cells: dict[str, list[Tried]] = {}
    for each in tried:
        cells.setdefault(f"{each.mutant.unit}/{each.mutant.cell}", []).append(each)
    return cells


def _survivors(tried: Sequence[Tried], stands: Mapping[str, str]) -> list[str]:
    survivors = [each for each in tried if each.trial.survived]
    if not survivors:
        return ["None."]
    return [
        f"{each.mutant.name}: {each.trial.why}. "
        f"{stands.get(each.mutant.name, 'Not yet looked at.')}\n\n```diff\n{each.diff}\n```\n"
        for each in survivors
    ]


def _blocks(tried: Any) -> list[str]:
    return [f"{each.mutant.name}\n```diff\n{each.diff}\n```" for each in tried]
