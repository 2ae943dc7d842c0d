"""Running programs and timing them: what every benchmark here shares."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


class ToolFailed(Exception):
    """A program ended with a status that it should not have."""


def tell(parts: Iterable[str], out: Path | None) -> int:
    """Prints the parts of a report as they come, and writes them to a file at the end; the exit status."""
    told = []
    try:
        for part in parts:
            print(part, flush=True)
            told.append(part)
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    if out is not None:
        out.write_text("\n".join(told), encoding="utf-8")
    return 0


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended. `peak_memory` is in bytes, and None if it cannot be told from our own. `cpu` are the
    seconds that it was running on a processor."""

    stdout: str
    stderr: str
    wall: float
    peak_memory: int | None
    cpu: float


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, good: Sequence[int] = (0,)
) -> Finished:
    """Runs the command in the folder, with `environment` added to ours, to its end."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=err, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        for stream in (out, err):
            stream.seek(0)
        finished = Finished(out.read(), err.read(), wall, _peak(usage), usage.ru_utime + usage.ru_stime)
    if process.returncode not in good:
        said = finished.stderr + finished.stdout
        raise ToolFailed(f"{' '.join(command)} ended with status {process.returncode}:\n{said}")
    return finished


def _peak(usage: resource.struct_rusage) -> int | None:
    # A child starts as a copy of this process, and the system counts that copy too: a smaller peak is not seen.
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > ours * 1.1 else None


def interleaved(runs: Mapping[Key, Callable[[], Result]], repeat: int, warmed: bool = True) -> dict[Key, list[Result]]:
    """The results of `repeat` rounds a, b, c, a, b, c, …: what disturbs the machine disturbs all alike."""
    results: dict[Key, list[Result]] = {key: [] for key in runs}
    for _ in range(repeat):
        for key, measure in runs.items():
            if warmed:
                warm_memory()
            results[key].append(measure())
    return results


WARM = 3 * 2**30  # bytes: more than any of the measured runs takes


def warm_memory() -> None:
    """Some memory has just been in use, and is free again.

    A virtual machine gives free memory back to its host after some seconds, and to get it again takes several times as
    long as to clear it. Without this a run would pay for how long ago the memory that it gets was used last.
    """
    subprocess.run([sys.executable, "-c", f"b'x' * {WARM}"], check=True)


def positive(text: str) -> int:
    """The number that an option gives; for `type=` of argparse."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column is text, the others are figures."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine() -> str:
    """The processor and the system, in a line."""
    return f"{_processor()}, {os.cpu_count()} cores; {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
