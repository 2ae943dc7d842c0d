"""How much faster ASSET explores with several threads: `python benchmarks/threads.py` on an idle machine.

Each system is explored with memory that was in use a moment ago, and with memory that the machine has to find first.
What two cores can do is measured beside it: two processes explore it at the same time, with one thread each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from measure import ToolFailed, interleaved, machine, markdown_table, positive, tell
from tools import OURS, check
from workloads import RING, Counts

OWN = Path(__file__).resolve().parent / "breadth"


@dataclass(frozen=True, slots=True)
class System:
    """A model of some size that takes long enough, and its state space."""

    name: str
    model: str
    n: int
    counts: Counts


SYSTEMS = (
    System("ring", RING.model, 9, RING.counts[9]),
    System("philosophers", str(OWN / "philosophers.py"), 13, Counts(14_835_836, 132_955_186)),
    System("lifts", str(OWN / "lifts.py"), 5, Counts(4_718_584, 29_090_224)),
)

HEADER = ("system", "memory", "processes, threads", "explore, s", "M edges/s", "speed-up")


def exploration(system: System, threads: int) -> Callable[[], float]:
    """A run that gives the seconds of exploring; the state space must be the known one."""

    def measure() -> float:
        words = [system.model, "-p", f"n={system.n}", "--only", "safety", "--symmetry", "off", "--stubborn", "off"]
        _, report = check([*words, "--threads", str(threads)])
        counts = Counts(report["states"], report["edges"])
        if counts != system.counts:
            raise ToolFailed(f"{system.name}, {threads} threads: {counts}, not {system.counts}")
        seconds: float = report["seconds"]["explore"]
        return seconds

    return measure


def at_once(measure: Callable[[], float], processes: int) -> Callable[[], float]:
    """So many of these runs at the same time; the mean of their seconds."""

    def measure_all() -> float:
        with ThreadPoolExecutor(processes) as pool:
            return mean(pool.map(lambda _: measure(), range(processes)))

    return measure_all


def rows(system: System, memory: str, seconds: Mapping[tuple[int, int], Sequence[float]]) -> Iterator[list[str]]:
    """By the numbers of processes and of threads."""
    medians = {how: median(samples) for how, samples in seconds.items()}
    first = next(iter(medians.values()))
    for (processes, threads), time in medians.items():
        rate, speed_up = processes * system.counts.edges / time / 1e6, processes * first / time
        name, how = f"{system.name}, n = {system.n}", f"{processes}, {threads}"
        yield [name, memory, how, f"{time:.2f}", f"{rate:.1f}", f"{speed_up:.2f}"]


def report(systems: Sequence[System], threads: Sequence[int], repeat: int) -> Iterator[str]:
    yield f"Medians of {repeat} interleaved runs; {machine()}\n"
    table: list[list[str]] = []
    for system in systems:
        for memory, warmed in (("warmed up", True), ("as it is", False)):
            runs = {(1, count): exploration(system, count) for count in threads}
            runs |= {(count, 1): at_once(exploration(system, 1), count) for count in threads if count > 1}
            table += rows(system, memory, interleaved(runs, repeat, warmed))
    yield markdown_table(HEADER, table)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures exploration with several threads, on an idle machine.")
    parser.add_argument("--only", nargs="+", choices=[s.name for s in SYSTEMS], help="systems (default: all)")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], help="numbers of threads (default: 1 2)")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each (default: 5)")
    arguments = parser.parse_args()
    if remedy := OURS.missing():
        print(f"error: missing {remedy}", file=sys.stderr)
        return 1
    chosen = [s for s in SYSTEMS if arguments.only is None or s.name in arguments.only]
    return tell(report(chosen, arguments.threads, arguments.repeat), None)


if __name__ == "__main__":
    sys.exit(main())
