"""The repository that students get, as a dictionary of files."""

import re
from pathlib import PurePosixPath

from rnnkit.course.build import build_exercise, build_lecture, build_solution
from rnnkit.course.findings import Finding
from rnnkit.course.kit import Kit
from rnnkit.course.leaks import leaks_in
from rnnkit.course.notebooks import read_script
from rnnkit.course.regions import MARKERS
from rnnkit.course.settings import PublishSettings, publish_settings
from rnnkit.course.students_notebooks import badge, for_students, title_of
from rnnkit.course.students_package import package_files, students_environment, students_project
from rnnkit.errors import KitError

__all__ = ["students_files"]

COPIED = ("LICENSE", "constraints.txt")
PAGE = "docs/students.md"
FIGURES = {".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}
# Measured tables, and the pages on what students have too; other pages are the instructor's.
PAGE_LINK = re.compile(r"\]\((?:\.\./)+(docs/(?:reports/[\w-]+|data|elmo)\.md)[)#]")
ABOUT_COLAB = "**In Colab**"  # how that paragraph of the page begins
IGNORED = """\
work/
.venv/
*.egg-info/
build/
__pycache__/
.ipynb_checkpoints/
"""


def students_files(kit: Kit, settings: PublishSettings | None = None) -> dict[str, bytes]:
    """All files of the students' repository.

    Notebooks are made from their sources, not copied; of other files only those are taken
    that are named here or in ``pyproject.toml``.

    Args:
        kit: The kit.
        settings: Where the repository is; by default as ``pyproject.toml`` says.

    Returns:
        The content of each file, by its path from the repository's top folder.

    Raises:
        KitError: A setting or a source is wrong, or a file would show an answer or a
            hidden test.
    """
    settings = settings or publish_settings(kit)
    exercises = _exercises(kit)
    lectures = _lectures(kit)
    _refuse_leaks(kit, exercises)
    page = kit.root / PAGE
    files = {name: _copied(kit, name) for name in COPIED}
    if not page.is_file():
        raise KitError("the page for students", f"no file {page}", f"restore {PAGE}")
    files |= {
        name: for_students(kit, settings, name, content) if name.endswith(".ipynb") else content
        for name, content in {**exercises, **lectures}.items()
    }
    files |= _linked_pages(kit, {**exercises, **lectures})
    files |= package_files(kit)
    files |= {
        "pyproject.toml": students_project(kit),
        "environment.yml": students_environment(kit),
        ".gitignore": IGNORED.encode(),
        "README.md": _readme(settings, page.read_text("utf-8"), exercises, lectures).encode(),
    }
    _refuse_markers(files)
    return dict(sorted(files.items()))


def _exercises(kit: Kit) -> dict[str, bytes]:
    """What the sources of all units give, by its path."""
    built = []
    for unit in kit.units():
        built += build_exercise(kit, unit, build_solution(kit, unit))
    return {kit.shown(file.path): file.content for file in built}


def _lectures(kit: Kit) -> dict[str, bytes]:
    """The lectures' notebooks and their figures."""
    built = [build_lecture(kit, name) for name in kit.lecture_names()]
    figures = [path for path in kit.lectures.rglob("*") if path.suffix.lower() in FIGURES]
    return {kit.shown(file.path): file.content for file in built} | {
        kit.shown(path): path.read_bytes()
        for path in figures
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def _linked_pages(kit: Kit, notebooks: dict[str, bytes]) -> dict[str, bytes]:
    """The pages that notebooks link to, of those that students may have."""
    names = {
        match
        for name, content in notebooks.items()
        if name.endswith(".ipynb")
        for match in PAGE_LINK.findall(content.decode())
    }
    there = sorted(name for name in names if (kit.root / name).is_file())
    return {name: _copied(kit, name) for name in there}


def _copied(kit: Kit, name: str) -> bytes:
    try:
        return (kit.root / name).read_bytes()
    except FileNotFoundError as error:
        raise KitError(
            f"the kit's {name}", f"no file {kit.root / name}", "restore it, then publish again"
        ) from error


def _refuse_leaks(kit: Kit, exercises: dict[str, bytes]) -> None:
    found: list[Finding] = []
    for unit in kit.units():
        reference = read_script(kit.source_script(unit))
        for name, content in exercises.items():
            if name.endswith(".ipynb") and PurePosixPath(name).parent.name == unit:
                found += leaks_in(content, reference, name)
    if found:
        raise KitError(
            "exercises without answers and hidden tests",
            "; ".join(map(str, found[:3])),
            "change the unit's source so that `rnnkit build --check` finds nothing",
        )


def _refuse_markers(files: dict[str, bytes]) -> None:
    """Refuse what stands between an answer or a hidden test and the reader's eyes."""
    for name, content in files.items():
        marker = next((word for word in MARKERS if word.encode() in content), None)
        if marker is not None:
            raise KitError(
                "files for students without answers and hidden tests",
                f"{marker} stands in {name}",
                "take the answer or the hidden test out of this file's source",
            )


def _readme(
    settings: PublishSettings, page: str, exercises: dict[str, bytes], lectures: dict[str, bytes]
) -> str:
    """The students' first page: what there is, and how to work with it."""
    lines = [f"# {settings.title}"]
    for heading, files in (("Exercises", exercises), ("Lectures", lectures)):
        notebooks = {name: text for name, text in files.items() if name.endswith(".ipynb")}
        if notebooks:
            lines += ["", f"## {heading}", "", *_table(settings, notebooks)]
    _, _, body = page.partition("\n")
    return "\n".join(lines) + "\n\n" + _fitting(settings, body.strip()) + "\n"


def _table(settings: PublishSettings, notebooks: dict[str, bytes]) -> list[str]:
    head = ["| notebook | what it is | in Colab |", "| --- | --- | --- |"]
    if not settings.on_github:
        head = [line.rsplit("|", 2)[0] + "|" for line in head]
    rows = []
    for name, content in notebooks.items():
        cells = [f"[{PurePosixPath(name).stem}]({name})", title_of(content).replace("|", "\\|")]
        rows.append("| " + " | ".join([*cells, *filter(None, [badge(settings, name)])]) + " |")
    return [*head, *rows]


def _fitting(settings: PublishSettings, page: str) -> str:
    """The page with the repository's address, and without Colab where that cannot open it."""
    paragraphs = page.split("\n\n")
    if not settings.on_github:
        paragraphs = [each for each in paragraphs if not each.startswith(ABOUT_COLAB)]
    text = "\n\n".join(paragraphs)
    return text.replace("ADDRESS", settings.repository) if settings.repository else text
