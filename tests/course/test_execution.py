import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "site"))  # where made_up_lectures lies

from made_up_lectures import code, notebook

from rnnkit.course import execution as execution_module
from rnnkit.course.execution import cache_folder, executed, run
from rnnkit.errors import KitError

SOURCE = """\
# %% [markdown]
# # A

# %%
import os
from pathlib import Path
print(os.environ.get("RNNKIT_FAST"), Path.cwd().name)
print(Path(os.environ["MATPLOTLIBRC"]).read_text())
"""


@pytest.fixture
def runs(monkeypatch):
    """The settings of all runs, which write no outputs."""
    calls = []
    monkeypatch.setattr(
        execution_module, "run", lambda notebook, shown, folder, fast, on_cell: calls.append(fast)
    )
    return calls


def test_a_lecture_is_run_in_its_folder_with_sharper_pictures(kit, add_lecture, monkeypatch):
    monkeypatch.setenv("RNNKIT_FAST", "1")
    add_lecture(SOURCE)
    cells = []
    full = executed(
        kit,
        "01_toy",
        fast=False,
        cache=cache_folder(kit),
        on_cell=lambda *where: cells.append(where),
    )
    assert full.cells[1].outputs[0].text == "None lectures\nsavefig.dpi: 200\n\n"
    assert cells == [(2, 2)]
    assert os.environ["RNNKIT_FAST"] == "1"


def test_the_short_setting_is_told_to_the_lecture(kit):
    lecture = notebook(code("import os\nprint(os.environ['RNNKIT_FAST'])"))
    run(lecture, "a", kit.lectures, fast=True)
    assert lecture.cells[0].outputs[0].text == "1\n"


def test_what_has_not_changed_is_not_run_again(kit, add_lecture, runs):
    add_lecture(SOURCE)
    for _ in range(2):
        executed(kit, "01_toy", fast=True, cache=cache_folder(kit))
    assert runs == [True]


def test_each_setting_is_run(kit, add_lecture, runs):
    add_lecture(SOURCE)
    for fast in (True, False, True, False):
        executed(kit, "01_toy", fast=fast, cache=cache_folder(kit))
    assert runs == [True, False]


def test_a_changed_lecture_is_run_again_and_takes_the_place_of_the_old(kit, add_lecture, runs):
    for source in (SOURCE, SOURCE + "# a change\n"):
        add_lecture(source)
        executed(kit, "01_toy", fast=True, cache=cache_folder(kit))
    assert len(runs) == 2
    assert len(list(cache_folder(kit).iterdir())) == 1


def test_a_changed_package_runs_it_again(kit, add_lecture, runs, monkeypatch):
    add_lecture(SOURCE)
    for number in ("1.0", "2.0"):
        monkeypatch.setattr(execution_module, "version", lambda name, number=number: number)
        executed(kit, "01_toy", fast=True, cache=cache_folder(kit))
    assert len(runs) == 2


def test_a_cell_that_fails_is_named_and_nothing_is_kept(kit, add_lecture):
    add_lecture("# %%\nx = 1\n\n# %%\nraise ValueError('too small')\n")
    with pytest.raises(KitError) as caught:
        executed(kit, "01_toy", fast=True, cache=cache_folder(kit))
    assert caught.value.found == "lectures/01_toy.py: cell 2 fails: ValueError: too small"
    assert not cache_folder(kit).exists()


def test_a_cell_that_takes_too_long_is_told(kit, monkeypatch):
    monkeypatch.setattr(execution_module, "CELL_SECONDS", 1)
    lecture = notebook(code("import time\ntime.sleep(60)"))
    with pytest.raises(KitError, match="a cell took more than 1 seconds"):
        run(lecture, "lectures/a.py", kit.lectures, fast=True)


def test_a_kernel_that_dies_is_told(kit):
    lecture = notebook(code("import os\nos._exit(1)"))
    with pytest.raises(KitError, match=r"lectures/a.py: its kernel died"):
        run(lecture, "lectures/a.py", kit.lectures, fast=True)


STOPPED = """\
import os, signal, threading
from pathlib import Path
from nbformat.v4 import new_code_cell, new_notebook
from rnnkit.course.execution import run

def stop(cell, cells):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

lecture = new_notebook(cells=[new_code_cell("1"), new_code_cell("import time; time.sleep(300)")])
try:
    run(lecture, "a", Path.cwd(), fast=True, on_cell=stop)
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_stops_a_run(tmp_path):
    # In a process of its own: what nbclient leaves behind would disturb later tests.
    done = subprocess.run(
        [sys.executable, "-c", STOPPED], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "stopped\n"
