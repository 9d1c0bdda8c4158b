"""What a result depends on, so that a result is used again only where it would come out again."""

import dataclasses
import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import nbformat
from traitlets.config import Config

import rnnkit
from rnnkit.grading.assignment import Assignment
from rnnkit.grading.files import files_beside
from rnnkit.grading.folders import load_config
from rnnkit.grading.handed_in import look_into
from rnnkit.grading.limits import Limits
from rnnkit.grading.outcome import Submission

__all__ = ["RunKey", "environment", "run_key", "submission_digest"]

PACKAGES = ("tensorflow", "keras", "tensorflow-text", "numpy", "nbgrader")
# Where and how many at once; what comes out is the same.
NO_MATTER = ("jobs", "sandbox", "scheduler", "gpus", "per_gpu", "gpu_bytes")
# Parts of nbgrader_config.py that only count after a run.
AFTER_THE_RUN = (
    "AssignLatePenalties",
    "CourseDirectory",
    "GenerateFeedback",
    "GetGrades",
    "LateSubmissionPlugin",
)
TIMESTAMP = Path("timestamp.txt")  # it changes the penalty and not the run


@dataclasses.dataclass(frozen=True)
class RunKey:
    """What all submissions of a run have in common.

    Args:
        tests: A digest of the unit: its reference, its release and the files beside it.
        environment: Versions by package.
        settings: Limits and settings by name.
    """

    tests: str
    environment: Mapping[str, str]
    settings: Mapping[str, str]

    def changes(self, earlier: "RunKey") -> list[str]:
        """What is not as it was, in words.

        Args:
            earlier: The key of an earlier run.

        Example:

        >>> now = RunKey("a", {"keras": "3.15"}, {"fast": "False"})
        >>> now.changes(RunKey("b", {"keras": "3.14"}, {"fast": "False"}))
        ['the tests changed', 'the environment changed (keras 3.14 → 3.15)']
        """
        found = [] if self.tests == earlier.tests else ["the tests changed"]
        for word, now, before in (
            ("environment", self.environment, earlier.environment),
            ("settings", self.settings, earlier.settings),
        ):
            names = [n for n in {**before, **now} if now.get(n) != before.get(n)]
            if names:
                parts = (_change(name, before.get(name), now.get(name)) for name in names)
                found.append(f"the {word} changed ({', '.join(parts)})")
        return found


def _change(name: str, before: str | None, now: str | None) -> str:
    values = [value or "none" for value in (before, now)]
    if any(len(value) > 24 for value in values):  # a digest says nothing to a reader
        return name
    return f"{name} {values[0]} → {values[1]}"


def run_key(assignment: Assignment, limits: Limits) -> RunKey:
    """What the results of a run depend on, beside the submission.

    Args:
        assignment: The unit.
        limits: The settings of the run.
    """
    tests = hashlib.sha256()
    for notebook in (assignment.reference, assignment.released):
        tests.update(nbformat.writes(notebook).encode())
    for name, content in files_beside(assignment.source).items():
        tests.update(repr(name).encode())
        tests.update(content)
    settings = {
        name: str(value)
        for name, value in dataclasses.asdict(limits).items()
        if name not in NO_MATTER
    }
    settings["gpu"] = str(bool(limits.gpus))
    settings["nbgrader_config.py"] = _config_digest(load_config(assignment.config))
    return RunKey(tests.hexdigest(), environment(), settings)


def _config_digest(config: Config) -> str:
    parts = {
        section: _in_words(value)
        for section, value in config.items()
        if section not in AFTER_THE_RUN
    }
    parts["ignore"] = _in_words(config.CourseDirectory.get("ignore"))
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()


def _in_words(value: object) -> str:
    """A setting as text that is the same in the next process."""
    if isinstance(value, dict):
        return repr(sorted((str(key), _in_words(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return repr([_in_words(item) for item in value])
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


@cache
def environment() -> Mapping[str, str]:
    """Versions of what takes part in a run, the package's own files included."""
    versions = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "none"
    digest = hashlib.sha256()
    root = Path(rnnkit.__file__).parent
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return versions | {"rnnkit": f"{rnnkit.__version__}+{digest.hexdigest()}"}


def submission_digest(submission: Submission, limits: Limits) -> str:
    """Changes when what was handed in changes; the time of handing in does not count.

    Args:
        submission: The submission.
        limits: Files larger than they allow are told apart by their time.
    """
    digest = hashlib.sha256(repr(submission.mend).encode())
    if submission.folder.is_dir():
        found = look_into(submission.folder)
        digest.update(repr((found.links, found.others, found.more)).encode())
        for file in found.files:
            if file.inside == TIMESTAMP:
                continue
            digest.update(repr((str(file.inside), file.size)).encode())
            try:
                if file.size > limits.notebook_bytes:  # too large to be read
                    digest.update(str(file.changed).encode())
                else:
                    digest.update(file.path.read_bytes())
            except OSError:  # a file that may not be read stops no other submission
                digest.update(b"not readable")
    return digest.hexdigest()
