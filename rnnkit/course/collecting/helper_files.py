"""Files that nobody handed in: what systems, browsers and LMSs put beside the work."""

import re
from pathlib import PurePosixPath

__all__ = ["why_passed_over"]

_FOLDERS = {
    "__MACOSX": "made by macOS",
    "__pycache__": "made by Python",
    ".ipynb_checkpoints": "made by Jupyter",
    "node_modules": "a program's own folder",
    "site-packages": "a program's own folder",
}
_NAMES = {
    ".ds_store": "made by macOS",
    "thumbs.db": "made by Windows",
    "desktop.ini": "made by Windows",
    "onlinetext.html": "a text typed into Moodle",
}
_ONLINE_TEXT = re.compile(r"_assignsubmission_onlinetext(?:_|$|/)")
_OTHER_PLUGIN = re.compile(r"^[^_/]*_\d+_assign(?:feedback_|submission_(?!file(?:_|$)))\w+")
_CANVAS_TEXT = re.compile(r"_\d+_(?:text|link)\.html$")


def why_passed_over(inside: PurePosixPath) -> str:
    """Why a file is no part of what a student handed in; empty if it may be one.

    Args:
        inside: Its path in the archive.

    Example:

    >>> why_passed_over(PurePosixPath("__MACOSX/ada/._lab.ipynb"))
    'made by macOS'
    >>> why_passed_over(PurePosixPath("ada/lab.ipynb"))
    ''
    """
    for part in inside.parts[:-1]:
        if part in _FOLDERS:
            return _FOLDERS[part]
    name = inside.name.casefold()
    if name in _NAMES:
        return _NAMES[name]
    if name.startswith("._"):
        return "made by macOS"
    if any(part.startswith(".") for part in inside.parts):
        return "a hidden file"
    if any(_ONLINE_TEXT.search(part) for part in inside.parts):
        return "a text typed into Moodle"
    if any(_OTHER_PLUGIN.match(part) for part in inside.parts):
        return "not a file that was handed in"
    if _CANVAS_TEXT.search(inside.name):
        return "a text or a link given to Canvas"
    return ""
