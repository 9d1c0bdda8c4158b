"""``rnnkit doctor``: what this machine can do for grading."""

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from rnnkit.versions import needed_packages

__all__ = ["Finding", "add_arguments", "run"]

GIB = 1 << 30
WORKER_BYTES = 0.7 * GIB  # a warm worker and one light notebook
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LEVELS = {
    "full": "full: namespaces, Landlock, a filter of system calls and limits",
    "weak": "weaker: Landlock, a filter of system calls and limits; results say so",
    "none": "none: limits alone",
}


@dataclass(frozen=True)
class Finding:
    """One line of the answer.

    Args:
        what: What was looked at.
        found: What there is.
        to_do: What is to be done about it; empty where all is well.
        stops: Whether grading cannot work like this.
    """

    what: str
    found: str
    to_do: str = ""
    stops: bool = False

    @property
    def state(self) -> str:
        """One word for it."""
        if self.stops:
            return "stops"
        return "look" if self.to_do else "ok"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--no-sandbox",
        action="store_true",
        help="ask whether grading can work without a fence, as `rnnkit grade --no-sandbox` does",
    )
    parser.add_argument(
        "--gpus",
        action="store_true",
        help="ask whether grading can work on this machine's GPUs, as `rnnkit grade --gpus` does",
    )


def run(args: argparse.Namespace) -> int:
    """Look at this machine and print what was found.

    Returns:
        0 where grading can work, else 1.
    """
    findings = [
        *_python(),
        *_packages(),
        *_fence(args.no_sandbox),
        _warm_kernels(),
        _gpus(args.gpus),
        _room(),
        *_jupyterlab(),
        _browser(),
    ]
    _show(findings)
    stopped = [finding.what for finding in findings if finding.stops]
    if stopped:
        print(f"Grading cannot work here yet: {', '.join(stopped)}.")
        return 1
    print("Grading can work here.")
    return 0


def _python() -> Iterator[Finding]:
    from packaging.specifiers import SpecifierSet

    version = platform.python_version()
    needed = metadata.metadata("rnnkit")["Requires-Python"] or ""
    fits = SpecifierSet(needed).contains(version, prereleases=True)
    to_do = "" if fits else f"use a Python {needed}"
    yield Finding(
        "Python", f"{version} on {platform.system()} {platform.release()}", to_do, not fits
    )


def _packages() -> Iterator[Finding]:
    """The packages that rnnkit and its extra 'course' name."""
    for needed in needed_packages("course"):
        remedy = f'pip install -c constraints.txt "{needed.requirement}"'
        if not needed.version:
            yield Finding(needed.name, "not installed", remedy, stops=True)
        elif needed.is_outside:
            yield Finding(needed.name, f"{needed.version}, outside {needed.wanted}", remedy)
        else:
            yield Finding(needed.name, needed.version)


def _fence(without: bool) -> Iterator[Finding]:
    try:
        from rnnkit.grading.fence import probe
    except ImportError as error:
        yield Finding("fence", f"not tried out: {error}", "install the packages above", stops=True)
        return
    ability = probe()
    level = ability.level.value
    to_do = " ".join(ability.lacks)
    stops = level == "none" and not without
    if stops:
        to_do += " Or grade without a fence, with a mark on each result: --no-sandbox."
    yield Finding("fence", LEVELS[level], to_do.strip(), stops)
    if ability.landlock or ability.user_namespaces:
        names = ("user_namespaces", "mount", "proc", "pid", "network", "ipc")
        given = ", ".join(name.replace("_", " ") for name in names if getattr(ability, name))
        landlock = f"version {ability.landlock}" if ability.landlock else "none"
        seccomp = "yes" if ability.seccomp else "no"
        yield Finding(
            "fence's parts",
            f"namespaces: {given or 'none'}; Landlock: {landlock}; filter of calls: {seccomp}",
        )


def _warm_kernels() -> Finding:
    if hasattr(os, "fork") and sys.platform.startswith("linux"):
        return Finding("warm kernels", "yes: each is forked from a process with TensorFlow in it")
    return Finding(
        "warm kernels",
        "no: each notebook imports TensorFlow anew, which takes seconds",
        "grade on Linux, or in WSL 2",
    )


def _gpus(wanted: bool) -> Finding:
    from rnnkit.grading.gpus import look_at_gpus

    report = look_at_gpus()
    to_do = report.to_do
    if wanted and not report.gpus and not to_do:
        to_do = "grade on a machine with an NVIDIA GPU, or on the processor: leave --gpus out"
    return Finding("GPUs", report.found, to_do, stops=wanted and bool(to_do))


def _room() -> Finding:
    cores = _cores()
    memory = _free_memory()
    if memory is None:
        return Finding("room", f"{cores} processors; memory not known")
    workers = max(0, min(cores, int(memory // WORKER_BYTES)))
    found = (
        f"{cores} processors, {memory / GIB:.1f} GB of memory free: "
        f"{workers} workers of about {WORKER_BYTES / GIB:.1f} GB"
    )
    if workers < 1:
        return Finding("room", found, "end other programs, or grade on a larger machine")
    fewer = f"rnnkit grade --jobs {workers}" if workers < cores else ""
    return Finding("room", found, fewer)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _free_memory() -> int | None:
    """Bytes that programs can have now; None where the system does not say."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    sizes = dict(line.split(":", 1) for line in text.splitlines())
    return int(sizes["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in sizes else None


def _jupyterlab() -> Iterator[Finding]:
    """Nbgrader's parts in JupyterLab; grading by commands works without them."""
    from rnnkit.cli.nbgrader_parts import parts_off

    try:
        missing = parts_off()
    except ImportError as error:
        yield Finding("JupyterLab", f"not looked at: {error}", "install the packages above")
        return
    for part in missing:
        yield Finding("JupyterLab", f"lacks {part.what}: it is switched off", part.remedy)
    if not missing:
        yield Finding("JupyterLab", "with nbgrader's menu, Formgrader, Validate and lists")


def _browser() -> Finding:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        return Finding("browser", "no Chromium; only tests of web pages need one, and are skipped")
    return Finding("browser", found)


def _show(findings: list[Finding]) -> None:
    try:
        from rich.markup import escape
        from rich.table import Table

        from rnnkit.grading.tables import print_table
    except ImportError:  # of the extra 'course', which may be what is missing
        for finding in findings:
            print(
                f"{finding.state:5}  {finding.what}: {finding.found}. {finding.to_do}".rstrip(" .")
            )
        return
    table = Table(title="What this machine can do for grading")
    table.add_column("what", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("found", overflow="fold")
    table.add_column("to do", overflow="fold")
    for finding in findings:
        table.add_row(
            escape(finding.what), finding.state, escape(finding.found), escape(finding.to_do)
        )
    print_table(table)
