"""Whether the parts of nbgrader that work inside JupyterLab are switched on."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

__all__ = ["PartOff", "parts_off"]

# What each part of nbgrader's server gives; without it, the entry in JupyterLab does not work.
SERVER_PARTS = {
    "formgrader": "Formgrader",
    "validate_assignment": "the button Validate",
    "assignment_list": "the Assignment List",
    "course_list": "the Course List",
}
LAB_EXTENSION = "@jupyter/nbgrader"


@dataclass(frozen=True)
class PartOff:
    """A part of nbgrader that JupyterLab would not load.

    Args:
        what: What a user of JupyterLab misses.
        remedy: The command that switches it on.
    """

    what: str
    remedy: str


def parts_off() -> list[PartOff]:
    """The parts of nbgrader that are switched off, by the settings that JupyterLab reads.

    Returns:
        One for each part; none where all is well, or where nbgrader is not installed.

    Raises:
        ImportError: JupyterLab is not installed.
    """
    try:
        metadata.version("nbgrader")
    except metadata.PackageNotFoundError:
        return []
    return [*_of_the_server(), *_of_the_page()]


def _of_the_server() -> Iterator[PartOff]:
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager

    settings = ExtensionConfigManager(read_config_path=jupyter_config_path())
    for part, what in SERVER_PARTS.items():
        name = f"nbgrader.server_extensions.{part}"
        if not settings.enabled(name):
            yield PartOff(what, f"jupyter server extension enable {name}")


def _of_the_page() -> Iterator[PartOff]:
    from jupyter_core.paths import jupyter_path
    from jupyterlab.commands import get_app_dir
    from jupyterlab_server.config import get_page_config

    page = get_page_config(jupyter_path("labextensions"), str(Path(get_app_dir()) / "settings"))
    if LAB_EXTENSION not in {each["name"] for each in page["federated_extensions"]}:
        yield PartOff("nbgrader's menu", "pip install --force-reinstall --no-deps nbgrader")
    for name in page["disabledExtensions"]:
        if name.partition(":")[0] == LAB_EXTENSION:
            part = name.partition(":")[2]
            what = f"nbgrader's {part}" if part else "nbgrader's menu"
            yield PartOff(what, f"jupyter labextension enable {name}")
