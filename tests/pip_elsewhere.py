"""pip's command line, as if it ran on another system.

pip chooses wheels for the system that ``--platform`` names, but asks the markers of
requirements (``sys_platform == "win32"``) about the system that it runs on
(github.com/pypa/pip/issues/6117). Here they are asked about the other one too:

    python pip_elsewhere.py '{"sys_platform": "win32"}' install --dry-run ...
"""

import json
import sys

if __name__ == "__main__":
    from pip._internal.cli.main import main
    from pip._vendor.packaging import markers

    there = {**markers.default_environment(), **json.loads(sys.argv[1])}
    markers.default_environment = lambda: there  # type: ignore[assignment]
    sys.exit(main(sys.argv[2:]))
