"""A check as a whole."""

from rnnkit.course.check import check


def test_a_check_writes_nothing(kit, write_source, sound):
    write_source(sound)
    before = {path: path.stat().st_mtime_ns for path in kit.root.rglob("*")}
    check(kit, run=False)
    assert {path: path.stat().st_mtime_ns for path in kit.root.rglob("*")} == before


def test_the_result_says_what_was_checked(kit, add_unit, add_lecture, sound):
    add_unit(sound)
    add_lecture('# %% [markdown]\n# <a id="s1"></a>\n')
    result = check(kit, run=False)
    assert (result.files, result.runs, result.findings) == (3, 0, [])


def test_a_refusal_of_nbgrader_is_one_finding_among_others(kit, add_unit, write_source, sound):
    add_unit(sound)
    write_source(sound.replace("    ### END SOLUTION\n", "").replace("points: 3", "points: 9"))
    (kit.exercises / "01_toy" / "old.py").write_text("answer = 1")
    found = [str(finding) for finding in check(kit, run=False).findings]
    assert any("nbgrader makes no exercise of it" in line for line in found)
    assert any("the points do not add up" in line for line in found)
    assert any("old.py" in line for line in found)
    assert all("\n" not in line for line in found)


def test_one_unreadable_source_does_not_hide_the_other_units(kit, add_unit, write_source, sound):
    write_source("", "01_broken")
    kit.source_script("01_broken").write_bytes(b"# %% [markdown]\n# caf\xe9\n")
    add_unit(sound.replace("points: 3", "points: 9"), "02_other")
    found = [str(finding) for finding in check(kit, run=False).findings]
    assert any(line.startswith("solutions/01_broken/01_broken.py: ") for line in found)
    assert any(line.startswith("solutions/02_other/02_other.py: ") for line in found)


def test_a_name_limits_the_check(kit, write_source, sound):
    write_source(sound, "01_a")
    write_source(sound, "02_b")
    found = check(kit, ["02_b"], run=False).findings
    assert {finding.file.split("/")[1] for finding in found} == {"02_b"}


def test_tests_in_the_students_process_are_named_and_are_no_fault(kit, add_unit, sound):
    test = '# %% nbgrader={"grade": true'
    add_unit(sound.replace(test, '# %% rnnkit={"run_in": "kernel"} nbgrader={"grade": true', 1))
    lines: list[str] = []
    result = check(kit, run=False, say=lines.append)
    assert result.findings == []
    assert any("runs in the student's process" in line for line in lines)
