"""The tools that are compared. Each turns a workload into something that can be run, and says what came out."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from measure import Finished, ToolFailed, run
from workloads import RING, Counts, Workload


@dataclass(frozen=True, slots=True)
class Measurement:
    """One exploration: `seconds` and `bytes_per_state` as the tool tells them (None: not known), and the process."""

    counts: Counts
    seconds: float
    bytes_per_state: float | None
    process: Finished


class Tool(Protocol):
    @property
    def name(self) -> str: ...

    def missing(self) -> str | None:
        """What keeps the tool from running here and how to get it; None if nothing does."""

    def prepare(self, workload: Workload, size: int, folder: Path) -> Callable[[], Measurement]:
        """Builds in the folder whatever is to be run; calling the result runs it once."""


def check(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[Finished, dict[str, Any]]:
    """Runs `asset check` with the arguments, plainly unless they name a reduction; gives the process and the object it
    wrote."""
    plain = [] if {"--stubborn", "--symmetry"} & set(arguments) else ["--stubborn", "off"]
    command = [sys.executable, "-m", "asset", "check", *arguments, *plain, "--quiet", "--json", "-"]
    # A user's Python keeps what it has compiled of our own code, whatever the shell of a benchmark says.
    finished = run(command, Path.cwd(), {"PYTHONDONTWRITEBYTECODE": "", **(environment or {})}, good=(0, 1, 3))
    try:
        return finished, json.loads(finished.stdout)
    except json.JSONDecodeError:  # Python itself ends with 1 if there is no module to run
        raise ToolFailed(finished.stderr.strip() or f"{' '.join(command)} wrote no report") from None


@dataclass(frozen=True, slots=True)
class Explored:
    """One run of ours: what was explored, in how many seconds all in all, and in how many bytes. `repair` are the
    seconds in which stubborn sets were made to ignore nothing."""

    counts: Counts
    seconds: float
    memory: int
    repair: float


def explored(model: str, parameters: Sequence[str], *options: str) -> Explored:
    """Checks one of our models, with a code cache of its own."""
    words = [word for parameter in parameters for word in ("-p", parameter)]
    with tempfile.TemporaryDirectory() as folder:
        finished, report = check([model, *words, *options], {"ASSET_CACHE_DIR": folder})
    counts = Counts(report["states"], report["edges"])
    return Explored(counts, finished.wall, report["memory"]["peak"], report["seconds"]["repair"])


@dataclass(frozen=True, slots=True)
class Timed:
    """One exploration of ours, in seconds of processor time; and the processor time of the whole process."""

    counts: Counts
    seconds: float
    bytes_per_state: float
    whole: float


TIMED = """
import sys, time
from asset.engine import native
explore = native.explore
def timed(*arguments):
    begun = time.process_time()
    outcome = explore(*arguments)
    print("explored", outcome.states, outcome.edges, time.process_time() - begun, outcome.bytes_per_state)
    return outcome
native.explore = timed
from asset.cli.main import main
sys.exit(main())
"""
"""The command line, but it tells what exploring found and how long it was on a processor."""


def timed(words: Sequence[str], cache: Path) -> Timed:
    """Explores a model on one thread, without reductions unless they are among the words."""
    plain = [word for option in ("--stubborn", "--symmetry") if option not in words for word in (option, "off")]
    command = [sys.executable, "-c", TIMED, "check", *words, *plain, "--threads", "1", "--quiet"]
    environment = {"PYTHONDONTWRITEBYTECODE": "", "ASSET_CACHE_DIR": str(cache)}
    finished = run(command, cache, environment)
    told = [line for line in finished.stdout.splitlines() if line.startswith("explored ")]
    _, states, edges, seconds, size = told[-1].split()
    return Timed(Counts(int(states), int(edges)), float(seconds), float(size), finished.cpu)


class Asset:
    """Ours, breadth-first on one thread; the code cache is empty before the first run only."""

    name = "ASSET"

    def missing(self) -> str | None:
        """Tries a small model: if that fails, the project is not installed or not built."""
        try:
            check([RING.model, "-p", "n=3"])
        except ToolFailed as failure:
            return f"asset: pip install . in the project's folder\n{failure}"
        return None

    def prepare(self, workload: Workload, size: int, folder: Path) -> Callable[[], Measurement]:
        def measure() -> Measurement:
            finished, report = check(
                [workload.model, "-p", f"n={size}", "--threads", "1"], {"ASSET_CACHE_DIR": str(folder)}
            )
            counts = Counts(report["states"], report["edges"])
            memory: float = report["memory"]["bytes_per_state"]
            return Measurement(counts, report["seconds"]["explore"], memory, finished)

        return measure


@dataclass(frozen=True, slots=True)
class Spin:
    """SPIN without partial order reduction and without compression, its hash table as large as it needs."""

    name: str
    options: tuple[str, ...] = ()

    def missing(self) -> str | None:
        return _absent("spin", "gcc")

    def prepare(self, workload: Workload, size: int, folder: Path) -> Callable[[], Measurement]:
        run(["spin", f"-DN={size}", "-a", str(workload.promela)], folder)
        flags = ["-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=20000", *self.options]
        run(["gcc", *flags, "-o", "pan", "pan.c"], folder)
        states = workload.counts[size].states
        command = ["./pan", f"-w{min(states.bit_length() + 1, 30)}", f"-m{states // 4 + 10_000}"]
        return lambda: self.read(run(command, folder))

    @staticmethod
    def read(finished: Finished) -> Measurement:
        """What a verifier that SPIN made has found."""
        out = finished.stdout
        if "errors: 0" not in out or "max search depth too small" in out:
            raise ToolFailed(f"SPIN did not complete its search:\n{out}")
        states = int(float(_figure(r"([\d.e+]+) states, stored", out)))
        # SPIN's "transitions" count the storing of the initial state too. Beyond eight digits they are rounded, and
        # that one is lost with the last digits.
        transitions = _figure(r"([\d.e+]+) transitions", out)
        edges = int(float(transitions)) - ("e" not in transitions)
        memory = float(_figure(r"([\d.]+)\s+total actual memory usage", out)) * 2**20
        seconds = float(_figure(r"elapsed time ([\d.]+)", out))
        return Measurement(Counts(states, edges), seconds, memory / states, finished)


class Rumur:
    """Rumur on one thread. It tells its time in whole seconds, so its wall time (start-up: milliseconds) is taken."""

    name = "Rumur"

    def missing(self) -> str | None:
        return _absent("rumur", "gcc")

    def prepare(self, workload: Workload, size: int, folder: Path) -> Callable[[], Measurement]:
        (folder / "model.m").write_text(workload.murphi(size), encoding="utf-8")
        off = [f"--{option}=off" for option in ("deadlock-detection", "symmetry-reduction", "counterexample-trace")]
        run(["rumur", "--threads=1", *off, "--output=verifier.c", "model.m"], folder)
        flags = ["-std=c11", "-O3", "-march=native", "-mcx16", "-DNDEBUG", "-w"]
        run(["gcc", *flags, "-o", "verifier", "verifier.c", "-lpthread"], folder)
        return lambda: self._read(run(["./verifier"], folder))

    @staticmethod
    def _read(finished: Finished) -> Measurement:
        states, edges = map(int, _figures(r"(\d+) states, (\d+) rules fired", finished.stdout))
        memory = finished.peak_memory / states if finished.peak_memory else None
        return Measurement(Counts(states, edges), finished.wall, memory, finished)


OURS: Tool = Asset()
TOOLS: tuple[Tool, ...] = (OURS, Spin("SPIN, depth-first"), Spin("SPIN, breadth-first", ("-DBFS",)), Rumur())


def available() -> list[Tool]:
    """The tools that can run here; what keeps the others from it is said on stderr."""
    lacking = {tool.name: tool.missing() for tool in TOOLS}
    for name, remedy in lacking.items():
        if remedy:
            print(f"not measured: {name}; missing {remedy}", file=sys.stderr)
    return [tool for tool in TOOLS if lacking[tool.name] is None]


def prepare(tool: Tool, workload: Workload, size: int, parent: Path) -> Callable[[], Measurement]:
    """As `tool.prepare`, in a folder of its own below `parent`; a run with the wrong state space is an error."""
    measure = tool.prepare(workload, size, Path(tempfile.mkdtemp(dir=parent)))
    expected = workload.counts[size]

    def checked() -> Measurement:
        measurement = measure()
        if measurement.counts != expected:
            raise ToolFailed(f"{tool.name}, {workload.name} {size}: {measurement.counts}, not {expected}")
        return measurement

    return checked


def _absent(*programs: str) -> str | None:
    absent = [program for program in programs if shutil.which(program) is None]
    return f"{' and '.join(absent)}: apt install {' '.join(absent)}" if absent else None


def _figures(pattern: str, text: str) -> tuple[str, ...]:
    found = re.search(pattern, text)
    if found is None:
        raise ToolFailed(f"no {pattern!r} in:\n{text}")
    return found.groups()


def _figure(pattern: str, text: str) -> str:
    return _figures(pattern, text)[0]
