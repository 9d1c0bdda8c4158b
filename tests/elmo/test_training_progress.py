"""What a training says while it runs."""

import re

from rnnkit.elmo.training_progress import TrainingProgress


def test_lines_tell_of_loss_speed_and_time_left(capsys) -> None:
    progress = TrainingProgress(steps=1200, done=1000, words=80, seconds=0)
    for loss in (3.0, 2.0, 1.0):
        progress.step(loss)
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "step 1,001 of 1,200: loss 3.000"
    assert re.fullmatch(r"step 1,002 of 1,200: loss 2.000, [\d,]+ words/s, 0 s left", second)
    assert third.startswith("step 1,003 of 1,200: loss 1.000, ")


def test_a_line_has_the_mean_since_the_last_and_the_speed_since_the_beginning(
    capsys, monkeypatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    progress = TrainingProgress(steps=10, done=0, words=80, seconds=10)
    for seconds, loss in [(9, 5.0), (2, 3.0), (2, 2.0), (8, 1.0)]:
        now[0] += seconds
        progress.step(loss)
    assert capsys.readouterr().out.splitlines() == [
        "step 2 of 10: loss 4.000, 40 words/s, 16 s left",
        "step 4 of 10: loss 1.500, 20 words/s, 24 s left",
    ]


def test_quiet_writes_nothing(capsys) -> None:
    progress = TrainingProgress(steps=2, done=0, words=80, quiet=True, seconds=0)
    progress.step(1.0)
    progress.say("anything")
    assert capsys.readouterr() == ("", "")
