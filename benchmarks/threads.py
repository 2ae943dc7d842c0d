"""How much faster ASSET explores with several threads: `python benchmarks/threads.py`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from measure import ToolFailed, interleaved, machine, markdown_table, positive
from tools import OURS, check
from workloads import RING, Counts


def exploration(size: int, threads: int) -> Callable[[], float]:
    """A run that gives the seconds of exploring the ring of that size; the state space must be the known one."""

    def measure() -> float:
        _, report = check([RING.model, "-p", f"n={size}", "--threads", str(threads)])
        counts = Counts(report["states"], report["edges"])
        if counts != RING.counts[size]:
            raise ToolFailed(f"{threads} threads, n = {size}: {counts}, not {RING.counts[size]}")
        seconds: float = report["seconds"]["explore"]
        return seconds

    return measure


def rows(size: int, seconds: Mapping[int, Sequence[float]]) -> list[list[str]]:
    medians = {threads: median(samples) for threads, samples in seconds.items()}
    first = next(iter(medians.values()))
    edges = RING.counts[size].edges
    return [[str(t), f"{s:.2f}", f"{edges / s / 1e6:.1f}", f"{first / s:.2f}"] for t, s in medians.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures exploration of the token ring with several threads.")
    parser.add_argument("--size", type=int, default=9, choices=sorted(RING.counts), help="stations (default: 9)")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], help="numbers of threads (default: 1 2)")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each (default: 5)")
    arguments = parser.parse_args()
    if remedy := OURS.missing():
        print(f"error: missing {remedy}", file=sys.stderr)
        return 1
    try:
        runs = {threads: exploration(arguments.size, threads) for threads in arguments.threads}
        seconds = interleaved(runs, arguments.repeat, warmed=False)
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    print(f"Ring, n = {arguments.size}; medians of {arguments.repeat} interleaved runs; {machine()}\n")
    print(markdown_table(("threads", "explore, s", "M edges/s", "speed-up"), rows(arguments.size, seconds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
