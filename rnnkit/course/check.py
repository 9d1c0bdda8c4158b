"""All that ``rnnkit build --check`` looks at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rnnkit.course.build import (
    Selection,
    build_exercise,
    build_lecture,
    build_solution,
    select,
)
from rnnkit.course.drift import check_built, check_orphans, check_scripts, check_strays
from rnnkit.course.findings import Finding
from rnnkit.course.kit import Kit
from rnnkit.course.leaks import check_leaks
from rnnkit.course.links import check_links
from rnnkit.course.metadata import check_metadata, check_points, tests_in_kernel
from rnnkit.course.names import check_names
from rnnkit.course.notebooks import read_script
from rnnkit.course.reference import check_reference
from rnnkit.course.stated import check_stated
from rnnkit.errors import KitError

__all__ = ["CheckResult", "check"]


@dataclass
class CheckResult:
    """What was looked at and what was found.

    Args:
        selection: The units and lectures.
        findings: What is wrong.
        files: How many built files were compared with their sources.
        runs: How many references were run.
    """

    selection: Selection
    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    runs: int = 0


def check(
    kit: Kit,
    names: Sequence[str] = (),
    *,
    run: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> CheckResult:
    """Find all that is wrong with the kit's sources and built files.

    Args:
        kit: The kit; nothing in it is changed.
        names: Units and lectures; all by default.
        run: Whether the references are run (minutes).
        say: Receives a line before each long step.

    Raises:
        KitError: A name is unknown, or nbgrader's settings cannot be read.
    """
    result = CheckResult(select(kit, names))
    for unit in result.selection.units:
        _check_unit(kit, unit, result, run=run, say=say)
    for name in result.selection.lectures:
        _check_lecture(kit, name, result)
    if result.selection.everything:
        result.findings += check_orphans(kit)
    return result


def _check_unit(
    kit: Kit, unit: str, result: CheckResult, *, run: bool, say: Callable[[str], None]
) -> None:
    script = kit.source_script(unit)
    file = kit.shown(script)
    try:
        notebook = read_script(script)
    except KitError as error:
        result.findings.append(Finding(file, error.found))
        return
    result.findings += check_metadata(notebook, script.read_text(encoding="utf-8"), file)
    result.findings += check_points(notebook, file)
    result.findings += check_stated(script.read_text(encoding="utf-8"), file)
    result.findings += check_names(notebook, file)
    for name in tests_in_kernel(notebook):
        say(f"{file}: {name} runs in the student's process; its points are not safe there.")
    result.findings += check_links(kit, notebook, script)
    _check_files(kit, unit, result)
    exercise = kit.exercise_notebook(unit)
    result.findings += check_leaks(exercise, notebook, kit.shown(exercise))
    if run:
        say(f"Running the reference of {unit}, with training shortened ...")
        result.findings += check_reference(kit, unit, notebook)
        result.runs += 1


def _check_files(kit: Kit, unit: str, result: CheckResult) -> None:
    """Compare a unit's built files with what its source gives."""
    solution = build_solution(kit, unit)
    built = [solution]
    try:
        built += build_exercise(kit, unit, solution)
    except KitError as error:
        file = kit.shown(kit.source_script(unit))
        cause = " ".join(error.found.split())
        result.findings.append(Finding(file, f"nbgrader makes no exercise of it: {cause}"))
        # What else belongs in the exercise is not known now; a script never does.
        strays = check_scripts(kit, unit)
    else:
        strays = check_strays(kit, unit, built)
    result.files += len(built)
    result.findings += check_built(kit, built) + strays


def _check_lecture(kit: Kit, name: str, result: CheckResult) -> None:
    script = kit.lecture_script(name)
    try:
        notebook = read_script(script)
    except KitError as error:
        result.findings.append(Finding(kit.shown(script), error.found))
        return
    result.findings += check_links(kit, notebook, script)
    result.findings += check_built(kit, [build_lecture(kit, name)])
    result.files += 1
