"""Answer files are graded, never imported."""

collect_ignore_glob = ["*/*.py"]
