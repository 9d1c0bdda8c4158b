"""Grading: each submission in a process of its own, one writer of the gradebook."""

import sys

# jsonschema builds a grammar for internationalised addresses when it is imported,
# which takes two seconds in each grading process. Notebooks have no such field,
# and jsonschema goes without when the package cannot be imported.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
