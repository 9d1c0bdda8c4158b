"""Print the table of docs/data.md: ``python -m rnnkit.data``."""

from rnnkit.data.markdown import markdown_table

print(markdown_table())
