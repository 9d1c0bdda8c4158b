import pytest

from rnnkit.cli import doctor, main
from rnnkit.grading.fence import Ability
from rnnkit.grading.gpus import GpuReport
from rnnkit.grading.outcome import Fence


@pytest.fixture
def machine(monkeypatch):
    """A machine with a fence of our choice, and nothing else to say."""

    def make(level, lacks=()):
        ability = Ability(level, lacks, landlock=7, seccomp=True)
        monkeypatch.setattr("rnnkit.grading.fence.probe", lambda: ability)

    return make


def test_a_machine_that_can_grade_gives_0(machine, capsys):
    machine(Fence.FULL)
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    for word in ("Python", "tensorflow", "nbgrader", "fence", "warm kernels", "GPUs", "workers"):
        assert word in output


def test_a_weaker_fence_is_told_with_its_remedy_and_gives_0(machine, capsys):
    machine(Fence.WEAK, ("No full fence: run: sudo sysctl -w kernel.x=0.",))
    assert main(["doctor"]) == 0
    assert "sudo sysctl -w kernel.x=0" in capsys.readouterr().out


def test_a_machine_without_a_fence_gives_1(machine, capsys):
    machine(Fence.NONE, ("No Landlock.",))
    assert main(["doctor"]) == 1
    output = capsys.readouterr().out
    assert "No Landlock." in output
    assert "Grading cannot work here yet: fence." in output


def test_a_machine_without_a_fence_gives_0_when_none_is_wanted(machine, capsys):
    machine(Fence.NONE, ("No Landlock.",))
    assert main(["doctor", "--no-sandbox"]) == 0
    assert "No Landlock." in capsys.readouterr().out


def test_a_package_that_is_missing_is_named_with_its_remedy(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    monkeypatch.setattr("rnnkit.versions.metadata.requires", lambda name: ["no-such-package>=2"])
    assert main(["doctor"]) == 1
    output = capsys.readouterr().out
    assert 'pip install -c constraints.txt "no-such-package>=2"' in output


def test_a_package_of_another_version_is_told(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    monkeypatch.setattr("rnnkit.versions.metadata.requires", lambda name: ["numpy<1"])
    assert main(["doctor"]) == 0
    assert "outside <1" in capsys.readouterr().out


def test_a_python_that_is_too_old_gives_1(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    monkeypatch.setattr(doctor.platform, "python_version", lambda: "3.8.1")
    assert main(["doctor"]) == 1
    assert "use a Python" in capsys.readouterr().out


def test_packages_of_other_extras_are_not_asked_for(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    line = 'no-such-package; extra == "dev"'
    monkeypatch.setattr("rnnkit.versions.metadata.requires", lambda name: [line])
    assert main(["doctor"]) == 0
    assert "no-such-package" not in capsys.readouterr().out


def test_little_memory_means_fewer_workers(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    monkeypatch.setattr(doctor, "_cores", lambda: 8)
    monkeypatch.setattr(doctor, "_free_memory", lambda: 3 * doctor.GIB)
    assert main(["doctor"]) == 0
    assert "rnnkit grade --jobs 4" in capsys.readouterr().out


def test_without_rich_the_answer_is_plain_text(machine, monkeypatch, capsys):
    machine(Fence.FULL)
    monkeypatch.setitem(__import__("sys").modules, "rich.table", None)
    assert main(["doctor"]) == 0
    assert "ok     warm kernels: yes" in capsys.readouterr().out


@pytest.fixture
def gpus(monkeypatch):
    """A function that gives the machine GPUs, or what is in their way."""

    def make(*words):
        monkeypatch.setattr("rnnkit.grading.gpus.look_at_gpus", lambda: GpuReport(*words))

    return make


def test_gpus_are_named(machine, gpus, capsys):
    machine(Fence.FULL)
    gpus((), "0: NVIDIA H200")
    assert main(["doctor"]) == 0
    assert "NVIDIA H200" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "status"), [([], 0), (["--gpus"], 1)])
def test_a_gpu_that_does_not_work_stops_only_those_who_want_it(
    machine, gpus, capsys, words, status
):
    machine(Fence.FULL)
    gpus((), "an NVIDIA GPU, but no driver", "install the driver")
    assert main(["doctor", *words]) == status
    assert "install the driver" in capsys.readouterr().out


def test_whoever_wants_gpus_is_told_that_there_are_none(machine, gpus, capsys):
    machine(Fence.FULL)
    gpus((), "none; notebooks run on the processor")
    assert main(["doctor", "--gpus"]) == 1
    assert "leave --gpus out" in capsys.readouterr().out
