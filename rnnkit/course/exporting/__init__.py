"""Grades and feedback as LMSs import them.

The exporters are nbgrader's export plugins: `rnnkit export` and ``nbgrader export`` write
the same files.
"""

from rnnkit.course.exporting.feedback import FeedbackZip, feedback_zip
from rnnkit.course.exporting.grades import Grade, Line, grades_of, points_of
from rnnkit.course.exporting.plugins import CanvasExport, CsvExport, Exported, MoodleExport
from rnnkit.course.exporting.tables import canvas_table, csv_table, moodle_table, table_text

__all__ = [
    "CanvasExport",
    "CsvExport",
    "Exported",
    "FeedbackZip",
    "Grade",
    "Line",
    "MoodleExport",
    "canvas_table",
    "csv_table",
    "feedback_zip",
    "grades_of",
    "moodle_table",
    "points_of",
    "table_text",
]
