"""What a fence lets in, and how a fenced run ended."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from rnnkit.grading.fence.readable import default_readable
from rnnkit.grading.outcome import Fence

__all__ = ["FenceSpec", "Report"]

MIB = 1 << 20
GIB = 1 << 30


@dataclass(frozen=True)
class FenceSpec:
    """What a fenced process may see and use.

    Args:
        level: How strong the fence is. A machine that cannot give it makes
            `run_fenced` report an error; ask `probe` first.
        scratch: The working folder, an absolute path, the same inside and outside. In
            the full fence it is an empty memory file system that lies over the outer
            folder; in the weaker fence it is the outer folder itself.
        files: An outer folder whose content is copied into ``scratch``; "" for none.
        sockets: An outer folder in which the process may make sockets, and nothing
            else; "" for none.
        readable: Files and folders that may be read and executed.
        memory_bytes: The most memory that the processes may hold together, beyond
            what they were forked with.
        scratch_bytes: The most that files in ``scratch``, ``/tmp``, the home folder and
            ``/dev/shm`` may have together.
        processes: How many processes may run at once; threads are not counted.
        cpu_seconds: Processor time of all processes together.
        file_bytes: The longest that one file may be.
        open_files: How many descriptors a process may have open.
        gpus: Numbers of the GPUs that are let in.

    Example:

    >>> spec = FenceSpec(level=Fence.NONE, scratch="/tmp/work", readable=("/usr",))
    >>> FenceSpec.from_json(spec.to_json()) == spec
    True
    """

    level: Fence
    scratch: str
    files: str = ""
    sockets: str = ""
    readable: tuple[str, ...] = field(default_factory=default_readable)
    memory_bytes: int = 4 * GIB
    scratch_bytes: int = 1 * GIB
    processes: int = 64
    cpu_seconds: int = 3600
    file_bytes: int = 512 * MIB
    open_files: int = 1024
    gpus: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("scratch", "files", "sockets"):
            path = getattr(self, name)
            if not path.startswith("/") and (path or name == "scratch"):
                raise ValueError(f"expected an absolute path as {name}. Received: {path!r}")
        if self.sockets.startswith(self.scratch.rstrip("/") + "/"):
            raise ValueError(
                "expected a folder of sockets outside the scratch folder, "
                f"in which all may be written. Received: {self.sockets!r}"
            )

    def to_json(self) -> str:
        """All fields as one line."""
        return json.dumps({**asdict(self), "level": self.level.value})

    @classmethod
    def from_json(cls, text: str) -> FenceSpec:
        """What `to_json` wrote.

        Args:
            text: The line.
        """
        values: dict[str, Any] = json.loads(text)
        values["level"] = Fence(values["level"])
        values["readable"] = tuple(values["readable"])
        values["gpus"] = tuple(values["gpus"])
        return cls(**values)


@dataclass(frozen=True)
class Report:
    """How a fenced run ended.

    Args:
        code: The exit status of the process; None where a signal ended it, or it never ran.
        signal: The number of the signal that ended it, if one did.
        why: The limit that ended it: "memory", "processes", "disk" or "cpu"; "stopped"
            where the caller asked for the end; "fence" where the fence could not be put
            up, so that the process never ran; else "".
        peak_bytes: The most memory that its processes held at once.
        cpu_seconds: Processor time of its processes.
        note: With "fence", what went wrong, as a sentence.
        half_full: Whether its processes have at some time held, or one of them has reserved,
            more than half of the memory that they may. Who runs out of memory step by step
            has been there.

    Example:

    >>> Report.from_json('{"code": 0, "signal": null, "peak_bytes": 10}').code
    0
    """

    code: int | None = None
    signal: int | None = None
    why: str = ""
    peak_bytes: int = 0
    cpu_seconds: float = 0.0
    note: str = ""
    half_full: bool = False

    def to_json(self) -> str:
        """All fields as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Report:
        """What a keeper wrote to its ``report_fd``.

        Args:
            text: The line; nothing where the keeper was killed itself.
        """
        return cls(**json.loads(text)) if text.strip() else cls(note="the keeper was killed")
