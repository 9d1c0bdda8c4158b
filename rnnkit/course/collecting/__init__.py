"""What an LMS gives, brought to where nbgrader looks for it.

`collect` does all of it; the parts can be used alone, and `MoodleCollector`,
`CanvasCollector` and `SafeExtractor` in `rnnkit.course.collecting.plugins` give the same
reading to ``nbgrader zip_collect``.
"""

from rnnkit.course.collecting.archives import Bounds, Found, Unpacked, unpack
from rnnkit.course.collecting.forms import Form, Handle, is_notebook, named_by_lms, plain_name
from rnnkit.course.collecting.gathering import Collected, collect, grade_ids
from rnnkit.course.collecting.matching import Match, Matcher
from rnnkit.course.collecting.privacy import without_names
from rnnkit.course.collecting.record import Attempt, Record, collected_folder, read_record
from rnnkit.course.collecting.roster import Person, listed_students, read_roster, roster_text

__all__ = [
    "Attempt",
    "Bounds",
    "Collected",
    "Form",
    "Found",
    "Handle",
    "Match",
    "Matcher",
    "Person",
    "Record",
    "Unpacked",
    "collect",
    "collected_folder",
    "grade_ids",
    "is_notebook",
    "listed_students",
    "named_by_lms",
    "plain_name",
    "read_record",
    "read_roster",
    "roster_text",
    "unpack",
    "without_names",
]
