"""Check that links to sections of lectures lead somewhere."""

import functools
import re
from pathlib import Path

from nbformat import NotebookNode

from rnnkit.course.findings import Finding
from rnnkit.course.kit import Kit
from rnnkit.course.notebooks import cell_name, read_script

__all__ = ["anchors", "check_links"]

FROM_ANYWHERE = re.compile(r"\blectures/(\w[\w-]*)\.ipynb#([\w-]+)")
FROM_A_LECTURE = re.compile(r"\]\((?:\./)?(\w[\w-]*)\.ipynb#([\w-]+)")
NAMED = re.compile(r"""<\w+\s[^>]*\b(?:id|name)\s*=\s*["']([^"']+)["']""")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def check_links(kit: Kit, notebook: NotebookNode, script: Path) -> list[Finding]:
    """Links to sections that their lecture does not have.

    A lecture that is not written yet is no fault: its links wait for it.

    Args:
        kit: The kit.
        notebook: The notebook that the script gives.
        script: The script.
    """
    found = []
    for index, cell in enumerate(notebook.cells):
        links = FROM_ANYWHERE.findall(cell.source)
        if script.parent == kit.lectures:
            links += FROM_A_LECTURE.findall(cell.source)
        for lecture, anchor in links:
            source = kit.lecture_script(lecture)
            if source.is_file() and anchor not in anchors(source):
                problem = f"{kit.shown(source)} has no section #{anchor}"
                found.append(Finding(kit.shown(script), problem, cell_name(cell, index)))
    return found


def anchors(lecture: Path) -> frozenset[str]:
    """The names that links to a lecture's sections may use.

    Args:
        lecture: The lecture's percent script.

    Returns:
        Names given in HTML (``<a id="s25"></a>``), and headings as JupyterLab
        (``S25-Scores``) and GitHub (``s25-scores``) name them.
    """
    return _anchors(lecture, lecture.stat().st_mtime_ns)


@functools.lru_cache(maxsize=32)
def _anchors(lecture: Path, _changed: int) -> frozenset[str]:
    cells = [cell.source for cell in read_script(lecture).cells if cell.cell_type == "markdown"]
    text = "\n".join(cells)
    headings = HEADING.findall(text)
    return frozenset(
        [
            *NAMED.findall(text),
            *(heading.replace(" ", "-") for heading in headings),
            *(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings),
        ]
    )
