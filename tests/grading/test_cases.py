"""Submissions that break graders: each ends in its status, with the points of a right answer.

With ``-s`` the table of all is printed.
"""

import dataclasses
import socket
from collections.abc import Iterator

import nbformat
import psutil
import pytest
from class_of_cases import CASES, Case, write_class
from tiny_unit import QUICK, scores, tree_digest

from rnnkit.grading.assignment import Assignment
from rnnkit.grading.fence import probe
from rnnkit.grading.outcome import Fence, Outcome
from rnnkit.grading.runner import run_submissions

LIMITS = dataclasses.replace(
    QUICK, cell_seconds=6, notebook_bytes=10_000_000, memory_bytes=600_000_000
)


@pytest.fixture(scope="module")
def outcomes(
    assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Outcome]]:
    """The whole class, graded once with a server of the test on the network."""
    if probe().level is not Fence.FULL:
        pytest.skip("needs the full fence: " + " ".join(probe().lacks))
    folder = tmp_path_factory.mktemp("cases")
    (folder / "runs").mkdir()
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        datagrams.bind(server.getsockname())
        datagrams.setblocking(False)
        (folder / "port").write_text(str(server.getsockname()[1]))
        submissions = write_class(assignment, folder)
        students = {submission.student: number for number, submission in submissions.items()}
        before = tree_digest(assignment.source)
        limits = dataclasses.replace(LIMITS, scratch_bytes=300_000_000)
        ran = run_submissions(assignment, submissions.values(), limits, folder / "runs")
        yield {students[outcome.submission.student]: outcome for outcome in ran}
        with pytest.raises(BlockingIOError):
            datagrams.recv(100)
    assert tree_digest(assignment.source) == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number}-{case.what}")
def test_case_ends_in_its_status_and_costs_no_point(
    outcomes: dict[str, Outcome], case: Case
) -> None:
    outcome = outcomes[case.number]
    assert outcome.status.value in (case.status, case.or_status), outcome.note
    assert tuple(scores(outcome)[:2]) == case.points, outcome.note
    assert case.says in outcome.note


def test_no_case_is_lost(outcomes: dict[str, Outcome]) -> None:
    for case in CASES:
        outcome = outcomes[case.number]
        points = " + ".join(f"{score:g}" for score in scores(outcome)[:2]) or "none"
        print(f"\n| {case.number} | {case.what} | {outcome.status.value} | {points} |", end="")
    assert set(outcomes) == {case.number for case in CASES}


def test_nothing_that_a_case_started_goes_on(outcomes: dict[str, Outcome]) -> None:
    left = [process for process in psutil.process_iter() if "600" in cmdline(process)]
    assert left == []


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has ended
        return []


def test_notebooks_stay_small(outcomes: dict[str, Outcome]) -> None:
    sizes = [len(nbformat.writes(o.notebook)) for o in outcomes.values() if o.notebook is not None]
    assert max(sizes) < 300_000
