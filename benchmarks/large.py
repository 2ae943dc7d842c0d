"""Two billion states on one machine: the ring with 12 stations, in full; `python benchmarks/large.py`.

It takes half an hour of two processors and 16 GiB; docs/scale.md has the figures of a run. `--size 9` takes seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from measure import ToolFailed, machine, markdown_table, tell
from tools import check
from workloads import RING, Counts

TITLES = ("stations", "states", "edges", "explore, s", "CPU, s", "memory, MiB", "resident, MiB", "bytes a state")


def report(size: int, threads: int, limit: str) -> Iterator[str]:
    how = ["--symmetry", "off", "--stubborn", "off", "--threads", str(threads), "--max-memory", limit]
    finished, found = check([RING.model, "-p", f"n={size}", *how])
    counts = Counts(found["states"], found["edges"])
    if found["verdict"] != "holds" or counts != RING.counts[size]:
        raise ToolFailed(f"{found['verdict']} with {counts}, not {RING.counts[size]}")
    memory, resident = found["memory"]["peak"], finished.peak_memory
    row = [
        str(size),
        f"{counts.states:,}",
        f"{counts.edges:,}",
        f"{found['seconds']['explore']:.1f}",
        f"{finished.cpu:.1f}",
        f"{memory >> 20:,}",
        "-" if resident is None else f"{resident >> 20:,}",
        f"{memory / counts.states:.2f}",
    ]
    yield machine()
    yield markdown_table(TITLES, [row])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, choices=sorted(RING.counts), default=12, help="stations (default 12)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--max-memory", default="18G", metavar="SIZE")
    given = parser.parse_args()
    return tell(report(given.size, given.threads, given.max_memory), None)


if __name__ == "__main__":
    sys.exit(main())
