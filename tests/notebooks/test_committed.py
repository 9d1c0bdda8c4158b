"""The notebooks in the repository are what their sources give."""

import pytest

from rnnkit.course.check import check
from rnnkit.course.drift import check_orphans
from rnnkit.course.kit import find_kit

KIT = find_kit()


@pytest.mark.parametrize("name", sorted({*KIT.units(), *KIT.lecture_names()}))
def test_a_rebuild_and_a_check_find_nothing(name):
    assert [str(finding) for finding in check(KIT, [name], run=False).findings] == []


def test_each_notebook_has_a_source():
    assert [str(finding) for finding in check_orphans(KIT)] == []
