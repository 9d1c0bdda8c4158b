import sys
import types

import pytest

from rnnkit.plots.watching import someone_watches


def notebook_shell(monkeypatch, **attributes):
    pytest.importorskip("IPython")
    shell = types.SimpleNamespace(kernel=object(), user_ns={})
    vars(shell).update(attributes)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)


def test_a_script_is_not_watched(monkeypatch):
    notebook_shell(monkeypatch)
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    assert not someone_watches()


def test_a_shell_in_a_terminal_is_not_watched(monkeypatch):
    notebook_shell(monkeypatch)
    monkeypatch.setattr("IPython.get_ipython", lambda: types.SimpleNamespace())
    assert not someone_watches()


def test_a_kernel_of_a_jupyter_server_is_watched(monkeypatch):
    notebook_shell(monkeypatch)
    monkeypatch.setenv("JPY_SESSION_NAME", "unit.ipynb")
    assert someone_watches()


def test_a_kernel_that_runs_a_notebook_unattended_is_not_watched(monkeypatch):
    notebook_shell(monkeypatch)
    assert not someone_watches()


def test_grading_is_not_watched(monkeypatch):
    notebook_shell(monkeypatch)
    monkeypatch.setenv("JPY_SESSION_NAME", "unit.ipynb")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert not someone_watches()


def test_colab_is_watched(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    assert someone_watches()


def test_visual_studio_code_is_watched(monkeypatch):
    notebook_shell(monkeypatch, user_ns={"__vsc_ipynb_file__": "unit.ipynb"})
    assert someone_watches()


def test_ipython_need_not_be_installed(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)
    assert not someone_watches()
    assert "IPython" not in sys.modules
