"""Which versions of other packages the course is made for, and which are here."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

__all__ = ["Needed", "needed_packages", "show_versions"]

SHOWN = ("tensorflow", "keras", "numpy", "rnnkit")
ON_COLAB = "on Colab, choose another with Runtime > Change runtime type > Runtime version"


@dataclass(frozen=True)
class Needed:
    """A package that rnnkit needs, as it is here.

    Args:
        name: The package, as pip knows it.
        wanted: The versions that are supported, as pip takes them.
        version: The version that is here; empty where the package is not installed.

    Example:

    >>> Needed("keras", ">=3.13.2,<3.16", "3.8.0").is_outside
    True
    """

    name: str
    wanted: str
    version: str

    @property
    def is_outside(self) -> bool:
        """Whether it is installed in a version that is not supported."""
        from packaging.specifiers import SpecifierSet

        if not self.version:
            return False
        return not SpecifierSet(self.wanted).contains(self.version, prereleases=True)

    @property
    def requirement(self) -> str:
        """The package and its versions, as pip takes them."""
        return f"{self.name}{self.wanted}"


def needed_packages(extra: str = "", of: str = "rnnkit") -> Iterator[Needed]:
    """Yield each package that rnnkit, or another package, needs on this machine.

    Args:
        extra: One of its extras, such as "course"; the packages of that come too.
        of: The package that needs them.
    """
    # Imported here: TensorFlow brings it, and whoever asks may lack TensorFlow.
    from packaging.requirements import Requirement

    for line in metadata.requires(of) or []:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield Needed(requirement.name, str(requirement.specifier), _version(requirement.name))


def show_versions() -> None:
    """Print the versions that matter, and a line for each that the course is not made for.

    The first cell of a notebook calls it on Colab, where versions change several times
    a year.
    """
    here = ", ".join(f"{name} {version}" for name in SHOWN if (version := _version(name)))
    print(f"Python {platform.python_version()}, {here}")
    for needed in needed_packages():
        if needed.is_outside:
            print(
                f"{needed.name} {needed.version} is not what this course is made for "
                f"({needed.wanted}): if something fails, take a version in that range; {ON_COLAB}."
            )


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
