"""Write constraints.txt from pip's installation report on standard input.

`make constraints` calls it; see the head that it writes.
"""

import json
import sys

HEAD = """\
# The versions that are tested: all that `pip install -e ".[course,data,metrics,dev]"` brings,
# the same on Python 3.11, 3.12 and 3.13 (Linux). `make` installs with them.
#
# Made by `make constraints`: pip looks for the newest versions that pyproject.toml
# allows, on Python 3.11, because newer Pythons need a subset of its packages.
# Use an early 3.11 (Debian 12 has 3.11.2): some packages need a later one.
# Then run the tests before you commit the result. What only Windows or macOS
# needs, and the CUDA libraries of the extra `gpu`, are not held here.
"""


def pins(report: dict) -> list[str]:
    """One line ``name==version`` for each package but the kit itself, in order."""
    found = {
        item["metadata"]["name"].lower().replace("_", "-").replace(".", "-"): item["metadata"][
            "version"
        ]
        for item in report["install"]
    }
    return [f"{name}=={version}" for name, version in sorted(found.items()) if name != "rnnkit"]


if __name__ == "__main__":
    sys.stdout.write(HEAD + "\n".join(pins(json.load(sys.stdin))) + "\n")
