import mmap
import os
import signal
import time

import pytest
from fenced_runs import MIB, SECONDS, sleep_for_ever

from rnnkit.grading.fence import watch
from rnnkit.grading.outcome import Fence


def bomb(pipe):
    os.setsid() if os.fork() == 0 else None
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def test_a_fork_bomb_ends_and_nothing_is_left(level, start):
    run = start(level, bomb, processes=20)
    assert run.wait().why == "processes"
    assert run.nothing_is_left()


def fork_and_wait(count, seconds):
    """Processes that live for some seconds at once; how each ended."""
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            time.sleep(seconds)
            os._exit(0)
        children.append(child)
    return [os.waitpid(child, 0)[1] for child in children]


def test_processes_up_to_the_limit_may_run(level, start):
    run = start(level, lambda _: fork_and_wait(8, 0.3), processes=10)
    assert run.result == [0] * 8
    assert run.wait().why == ""


def test_one_process_that_takes_too_much_memory_gets_an_error(level, start, no_room_for_threads):
    def take(_):
        try:
            return len(bytearray(500 * MIB))
        except MemoryError:
            return "MemoryError"

    assert start(level, take, memory_bytes=200 * MIB).result == "MemoryError"


def new_pages(size):
    """Memory that was written to: new pages, not what the tests before have freed in this process.

    A child has that too, and it would count for nobody.
    """
    pages = mmap.mmap(-1, size * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    write_to(pages)
    return pages


def hold(size):
    """Hold memory that was written to, for as long as it takes."""
    held = new_pages(size)
    time.sleep(20)
    return held


def test_processes_that_hold_too_much_together_are_ended(level, start, no_room_for_threads):
    def take(_):
        for _ in range(4):
            if os.fork() == 0:
                hold(100)
        time.sleep(20)

    run = start(level, take, memory_bytes=250 * MIB)
    assert run.wait().why == "memory"
    assert run.nothing_is_left()


def test_shared_memory_counts_too(level, start, no_room_for_threads):
    def take(_):
        shared = mmap.mmap(-1, 200 * MIB)
        write_to(shared)
        time.sleep(20)

    assert start(level, take, memory_bytes=100 * MIB).wait().why == "memory"


@pytest.fixture
def patient(monkeypatch):
    """Measure shares however long it takes; else a slow machine would know them too late."""
    monkeypatch.setattr(watch, "PATIENCE", SECONDS)


def take_and_fork(_):
    held = new_pages(100)
    fork_and_wait(4, 1)
    return len(held) // MIB


def test_pages_that_forks_share_count_once(level, start, no_room_for_threads, patient):
    run = start(level, take_and_fork, memory_bytes=300 * MIB)
    assert run.result == 100
    report = run.wait()
    assert report.why == ""
    assert 50 * MIB < report.peak_bytes < 250 * MIB


@pytest.fixture
def large_parent():
    """Pages of this process, which all that is forked from it shares."""
    with mmap.mmap(-1, 800 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as pages:
        write_to(pages)
        yield pages


def write_to(pages):
    for place in range(0, len(pages), mmap.PAGESIZE):
        pages[place] = 1


def test_pages_of_the_process_it_was_forked_from_count_for_nobody(
    level, start, no_room_for_threads, patient, large_parent
):
    run = start(level, take_and_fork, memory_bytes=300 * MIB)
    assert run.result == 100
    report = run.wait()
    assert report.why == ""
    # Less than its 100 MiB: the pages of a large parent count for less while five share them.
    assert 50 * MIB < report.peak_bytes < 250 * MIB


def test_written_pages_of_the_process_it_was_forked_from_hide_nothing(
    level, start, no_room_for_threads, large_parent
):
    def write_and_take(_):
        write_to(large_parent)
        for _ in range(4):
            if os.fork() == 0:
                hold(500)
        time.sleep(20)

    assert start(level, write_and_take, memory_bytes=1200 * MIB).wait().why == "memory"


def test_the_peak_is_what_was_held_beyond_the_fork(level, start):
    def take(_):
        held = new_pages(150)
        time.sleep(0.5)
        return len(held)

    peak = start(level, take).wait().peak_bytes
    assert 145 * MIB < peak < 170 * MIB  # the system counts in batches


def test_in_a_full_fence_files_count_as_memory(full, start, no_room_for_threads):
    def take(_):
        with open("file", "wb") as file:
            file.write(os.urandom(50 * MIB))
        time.sleep(0.4)

    assert start(full, take).wait().peak_bytes >= 50 * MIB


def spin(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_processor_time_is_limited(level, start):
    assert start(level, lambda _: spin(20), cpu_seconds=1).wait().why == "cpu"


def test_processor_time_of_all_processes_is_limited_together(start):
    def share(_):
        for _ in range(3):
            if os.fork() == 0:
                spin(0.8)
                os._exit(0)
        for _ in range(3):
            os.wait()
        time.sleep(2)

    assert start(Fence.WEAK, share, cpu_seconds=2).wait().why == "cpu"


def test_the_report_tells_the_processor_time(level, start):
    assert start(level, lambda _: spin(0.3)).wait().cpu_seconds > 0.25


def test_a_run_without_a_fence_is_still_watched(start):
    run = start(Fence.NONE, bomb, processes=20)
    assert run.wait().why == "processes"
    assert run.nothing_is_left()


def spin_and_sleep(pipe: int) -> None:
    spin(0.5)
    time.sleep(0.5)  # time for the keeper to look
    sleep_for_ever(pipe)


def test_the_report_of_a_run_that_was_ended_tells_the_processor_time(level, start):
    run = start(level, spin_and_sleep)
    run.first_line()
    os.dup2(os.open(os.devnull, os.O_RDONLY), run.lifeline)
    assert run.wait().cpu_seconds > 0.4


@pytest.mark.parametrize(
    ("size", "half_full"), [(80 * MIB, False), (120 * MIB, True), (10**15, False)]
)
def test_the_report_tells_whether_more_than_half_of_the_memory_was_asked_for(
    level, start, no_room_for_threads, size, half_full
):
    def ask(_):
        try:
            held = bytearray(size)  # nothing is written to it, so nothing is held
        except MemoryError:
            held = b""
        time.sleep(0.3)
        return len(held)

    assert start(level, ask, memory_bytes=200 * MIB).wait().half_full is half_full


def test_the_report_tells_whether_more_than_half_of_the_memory_was_held(
    level, start, no_room_for_threads
):
    def take(pipe):
        done, told = os.pipe()
        for _ in range(3):
            if os.fork() == 0:
                held = os.urandom(50 * MIB)
                os.write(told, held[:1])
                time.sleep(SECONDS)
        for _ in range(3):
            os.read(done, 1)
        sleep_for_ever(pipe)

    run = start(level, take, memory_bytes=200 * MIB)
    run.first_line()
    os.dup2(os.open(os.devnull, os.O_RDONLY), run.lifeline)
    assert run.wait().half_full


def take_and_wait(pipe: int) -> None:
    held = bytearray(150 * MIB)
    sleep_for_ever(pipe)
    held.clear()


def test_what_was_taken_just_before_the_end_is_seen(level, start, no_room_for_threads):
    run = start(level, take_and_wait, memory_bytes=200 * MIB)
    run.first_line()
    os.dup2(os.open(os.devnull, os.O_RDONLY), run.lifeline)
    assert run.wait().half_full


def test_a_submission_that_sends_itself_the_signal_of_a_limit_met_none(level, start):
    report = start(level, lambda _: os.kill(os.getpid(), signal.SIGXCPU)).wait()
    assert (report.signal, report.why) == (signal.SIGXCPU, "")
