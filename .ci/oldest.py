"""Write the oldest versions that pyproject.toml allows, as constraints for pip.

`make test-versions` calls it: the supported range is tested at both of its ends.
"""

import re
import sys
import tomllib
from pathlib import Path

LOWEST = re.compile(r"([\w-]+)>=([\w.]+)")
EXTRAS = ("course", "data")


def oldest(project: dict) -> list[str]:
    """One line ``name==version`` for each package of the student's half and of the extras."""
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *(line for name in EXTRAS for line in extras[name])]
    found = [LOWEST.match(line) for line in named]
    return sorted(f"{match[1]}=={match[2]}" for match in found if match)


if __name__ == "__main__":
    file = Path(__file__).resolve().parents[1] / "pyproject.toml"
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    sys.stdout.write("\n".join(oldest(project)) + "\n")
