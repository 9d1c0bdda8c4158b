"""Mutants of a unit, tried: which change behaviour, and which of these lose points."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

import rnnkit.checks
from rnnkit.course.kit import Kit
from rnnkit.course.slices import slice_notebook
from rnnkit.errors import KitError
from rnnkit.grading.answers import Answer, GradedAnswer, grade_answers
from rnnkit.grading.limits import Limits
from rnnkit.grading.mutants.cache import Cache, Trial, checks_used, key_of
from rnnkit.grading.mutants.mutant import Mutant, drawn_mutants, mutable_cells
from rnnkit.grading.status import Status

__all__ = ["Tried", "UnitMutants", "try_mutants"]

# Beside a solution: what an answer comes to, where calls do not show it.
PROBES = "mutant_probes.py"
CELL_SECONDS = 60  # a mutant that takes longer is one that never ends


@dataclass(frozen=True)
class Tried:
    """A mutant with what is known of it.

    Args:
        mutant: The mutant.
        trial: What is known.
        diff: The lines that differ from the reference.
    """

    mutant: Mutant
    trial: Trial
    diff: str


class UnitMutants:
    """The mutants of a unit.

    Args:
        kit: The kit.
        unit: The unit.
        most: The most mutants of one answer.
        seed: Another seed draws other mutants and other inputs.
        cells: The ``grade_id`` of the answers to take; all by default.
    """

    def __init__(
        self, kit: Kit, unit: str, most: int, seed: int = 0, cells: Iterable[str] = ()
    ) -> None:
        self.kit, self.unit, self.seed = kit, unit, seed
        path = kit.solution_notebook(unit)
        if not path.is_file():
            raise KitError(
                f"the solution notebook of {unit}",
                f"no file {path}",
                "run `rnnkit build` to make it from its script",
            )
        self.notebook = nbformat.read(path, as_version=4)
        wanted = set(cells)
        self.sources = {
            name: source
            for name, source in mutable_cells(self.notebook).items()
            if not wanted or name in wanted
        }
        self.mutants = [
            mutant
            for mutant in drawn_mutants(unit, self.notebook, most, seed)
            if mutant.cell in self.sources
        ]
        self._slices = {cell: self._slice({cell}) for cell in self.sources}
        self._keys = {cell: self._key(kept) for cell, kept in self._slices.items()}

    @property
    def probes(self) -> Path:
        """The file with the unit's probes."""
        return self.kit.solutions / self.unit / PROBES

    def tests_of(self, cell: str) -> list[str]:
        """The auto-graded cells that an answer can change."""
        return [name for name in map(_grade_id, self._slices[cell]) if name in self._tests()]

    def key(self, mutant: Mutant) -> str:
        """What the trial of a mutant depends on."""
        return key_of(self._keys[mutant.cell], mutant.source, str(self.seed))

    def work(self, mutants: list[Mutant]) -> dict[str, object]:
        """What `rnnkit.grading.mutants.bench` is told."""
        kept = self._slice({mutant.cell for mutant in mutants})
        tests = self._tests()
        cells = []
        for cell in kept:
            kind = "test" if _grade_id(cell) in tests else "given"
            kind = "answer" if _grade_id(cell) in self.sources else kind
            cells.append((_grade_id(cell), cell.source, kind))
        asked = [(mutant.name, mutant.cell, mutant.source) for mutant in mutants]
        return {"cells": cells, "probes": str(self.probes), "seed": self.seed, "mutants": asked}

    def _slice(self, changed: set[str]) -> list[NotebookNode]:
        part = slice_notebook(self.notebook, changed, self._tests())
        return [self.notebook.cells[place] for place in sorted(part.run)]

    def _tests(self) -> set[str]:
        return {
            _grade_id(cell)
            for cell in self.notebook.cells
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
        }

    def _key(self, kept: list[NotebookNode]) -> str:
        sources = [cell.source for cell in kept]
        checks = checks_used(sources, Path(str(rnnkit.checks.__file__)).parent)
        probes = self.probes.read_text(encoding="utf-8") if self.probes.is_file() else ""
        return key_of(json.dumps(sources), checks, probes)


def _grade_id(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def try_mutants(
    unit: UnitMutants, cache: Cache, limits: Limits, told: Callable[[str], None]
) -> list[Tried]:
    """Find out which mutants change behaviour, and grade those that do.

    Args:
        unit: The unit's mutants.
        cache: What is known already; what is found is added at once.
        limits: Times and settings of the grading.
        told: Gets a line now and then.

    Returns:
        The mutants in order.

    Raises:
        KitError: The reference itself does not run, or does not get its points.
    """
    unknown = [mutant for mutant in unit.mutants if cache.get(unit.key(mutant)) is None]
    if unknown:
        told(f"{unit.unit}: runs {len(unknown)} mutants beside the reference")
        _compare(unit, unknown, cache, told)
    waiting = [
        mutant
        for mutant in unit.mutants
        if (trial := cache.get(unit.key(mutant))) and trial.changed and trial.lost is None
    ]
    if waiting:
        told(f"{unit.unit}: grades {len(waiting)} mutants that changed behaviour")
        _grade(unit, waiting, cache, limits, told)
    found = []
    for mutant in unit.mutants:
        trial = cache.get(unit.key(mutant))
        assert trial is not None
        found.append(Tried(mutant, trial, mutant.diff(unit.sources[mutant.cell])))
    return found


def _compare(
    unit: UnitMutants, mutants: list[Mutant], cache: Cache, told: Callable[[str], None]
) -> None:
    """Run mutants beside the reference; one that ends the process has changed behaviour."""
    by_name = {mutant.name: mutant for mutant in mutants}
    left = dict(by_name)
    while left:
        running = ""
        for line in _lines_of_bench(unit, list(left.values())):
            if "failed" in line:
                raise KitError(
                    f"a reference of {unit.unit} that runs, with its tests",
                    str(line["failed"]),
                    "run `rnnkit build --check` and mend what it names",
                )
            if "begin" in line:
                running = str(line["begin"])
                continue
            mutant = left.pop(str(line["name"]))
            cache.add(unit.key(mutant), mutant.name, Trial(bool(line["changed"]), str(line["why"])))
            running = ""
            if len(left) % 50 == 0:
                told(f"{unit.unit}: {len(by_name) - len(left)} of {len(by_name)} compared")
        if left and not running:
            raise KitError(
                f"mutants of {unit.unit} that run beside the reference",
                "the process that compares them ended before the first",
                "look whether the machine is short of memory, and call the command again",
            )
        if running:
            mutant = left.pop(running)
            cache.add(unit.key(mutant), mutant.name, Trial(True, "ends Python itself"))


def _lines_of_bench(unit: UnitMutants, mutants: list[Mutant]) -> Iterator[dict[str, object]]:
    """Lines of the process that compares, as they come, until it ends."""
    with tempfile.TemporaryDirectory(prefix="rnnkit-") as temporary:
        place = Path(temporary)
        files = place / "unit"
        shutil.copytree(unit.kit.solutions / unit.unit, files)
        job, results = place / "job.json", place / "results.jsonl"
        job.write_text(json.dumps(unit.work(mutants)), encoding="utf-8")
        results.touch()
        root = str(Path(str(rnnkit.__file__)).parents[1])
        path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH", "")])])
        environment = {
            **os.environ,
            **{"PYTHONPATH": path, "RNNKIT_FAST": "1", "MPLBACKEND": "Agg"},
            **{"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONHASHSEED": "0"},
        }
        command = [sys.executable, "-m", "rnnkit.grading.mutants.bench", str(job), str(results)]
        errors = place / "errors"
        with errors.open("w") as to, results.open(encoding="utf-8") as lines:
            process = subprocess.Popen(command, cwd=files, env=environment, stdout=to, stderr=to)
            try:
                ended = False
                while not ended:
                    ended = process.poll() is not None
                    time.sleep(0 if ended else 0.2)
                    yield from _whole_lines(lines)
            finally:
                process.kill()
                process.wait()


def _whole_lines(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """The lines that have been written to their end."""
    for line in lines:
        yield json.loads(line)


def _grade(
    unit: UnitMutants,
    mutants: list[Mutant],
    cache: Cache,
    limits: Limits,
    told: Callable[[str], None],
) -> None:
    """Grade mutants as answers, on the cells that depend on what each replaces."""
    cells = list(dict.fromkeys(mutant.cell for mutant in mutants))
    answers: dict[str, Mutant] = {mutant.name: mutant for mutant in mutants}
    faults: list[str] = []
    count = 0

    def done(graded: GradedAnswer) -> None:
        nonlocal count
        name = graded.answer.description
        cell = next(iter(graded.answer.cells))
        lost = _lost(graded, unit.tests_of(cell))
        if lost is None:
            faults.append(f"{name}: {graded.outcome.status.value}. {graded.outcome.note}")
            return
        if name not in answers:
            if lost:
                faults.append(f"the reference's {cell} gets no points in {' '.join(lost)}")
            return
        count += 1
        known = cache.get(unit.key(answers[name]))
        assert known is not None
        cache.add(unit.key(answers[name]), name, Trial(known.changed, known.why, lost))
        if count % 25 == 0 or count == len(answers):
            told(f"{unit.unit}: {count} of {len(answers)} graded")

    # The reference's own answers, which must get all their points.
    controls = [
        Answer(Path(cell), "right", cell, cells={cell: unit.sources[cell]}) for cell in cells
    ]
    wrong = [
        Answer(Path(name), "wrong", name, cells={mutant.cell: mutant.source})
        for name, mutant in answers.items()
    ]
    grade_answers(unit.kit, unit.unit, [*controls, *wrong], limits, done, rest=False)
    if faults:
        raise KitError(
            f"answers of {unit.unit} that can be graded, the reference's with all points",
            "; ".join(faults[:5]),
            "run `rnnkit answers` for this unit and mend what it names",
        )


def _lost(graded: GradedAnswer, tests: list[str]) -> tuple[str, ...] | None:
    """The tests that took points; None where it was not graded."""
    if graded.outcome.status is Status.INFRASTRUCTURE_ERROR or not graded.outcome.points:
        return None
    found = {name: graded.outcome.points[name] for name in tests}
    return tuple(name for name, (score, most) in found.items() if score is None or score < most)
