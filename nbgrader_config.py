"""nbgrader's settings for this course. `rnnkit grade` copies this file into a new course folder."""

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
)

from rnnkit.grading.execute import ErrorStreamCostsNothing, FencedExecute, PlainPartialCredit
from rnnkit.grading.feedback import HideTests

c = get_config()  # noqa: F821 (nbgrader defines it)

# The kit's own folders: answers and hidden tests, and what students get.
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# nbgrader copies every file beside a notebook into a release. The percent
# script beside a solution holds the answers, so it must stay out.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    ".pytest_cache",
    "*.py",
]

# Kilobytes: a larger notebook is refused before it is read, and of the files
# beside it no more than this is copied.
c.CourseDirectory.max_file_size = 50_000
c.CourseDirectory.max_dir_size = 100_000

# Seconds for one cell. The slowest cell of the course trains for about a minute.
c.ExecutePreprocessor.timeout = 240

# Submissions run in a kernel forked from a warm process, behind a fence: also by
# `nbgrader autograde` and by formgrader's button. Where this machine can put up no
# fence, autograding says what to do; "off" runs without one.
# c.FencedExecute.sandbox = "off"
c.Autograde.autograde_preprocessors = [
    FencedExecute,
    ErrorStreamCostsNothing,
    PlainPartialCredit,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]

# Feedback shows no hidden test, also when it is made in formgrader after hand grading.
c.GenerateFeedback.preprocessors = [HideTests, GetGrades, CSSHTMLHeaderPreprocessor]
