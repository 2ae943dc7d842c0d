"""What queues and records cost, against a model packed by hand into integers: `python benchmarks/state_types.py`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from measure import ToolFailed, interleaved, machine, markdown_table, positive
from tools import OURS, check
from workloads import Counts

MODEL = Path(__file__).parent / "offices.py"
KINDS = ("Typed", "Packed")


def exploration(kind: str, clients: int) -> Callable[[], tuple[Counts, float]]:
    """A run that gives the state space and the seconds of exploring it."""

    def measure() -> tuple[Counts, float]:
        _, report = check([f"{MODEL}:{kind}", "-p", f"clients={clients}", "--threads", "1"])
        return Counts(report["states"], report["edges"]), report["seconds"]["explore"]

    return measure


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures a model with queues and records, and the same one packed.")
    parser.add_argument("--clients", type=positive, default=6, help="how many clients (default: 6)")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each (default: 5)")
    arguments = parser.parse_args()
    if remedy := OURS.missing():
        print(f"error: missing {remedy}", file=sys.stderr)
        return 1
    try:
        runs = {kind: exploration(kind, arguments.clients) for kind in KINDS}
        results = interleaved(runs, arguments.repeat, warmed=False)
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    if len(spaces := {counts for samples in results.values() for counts, _ in samples}) != 1:
        print(f"error: the state spaces differ: {spaces}", file=sys.stderr)
        return 1
    medians = {kind: median(seconds for _, seconds in samples) for kind, samples in results.items()}
    counts = spaces.pop()
    print(f"{counts.states:,} states, {counts.edges:,} edges; medians of {arguments.repeat}; {machine()}\n")
    rows = [[kind, f"{s:.3f}", f"{s / medians['Packed']:.2f}"] for kind, s in medians.items()]
    print(markdown_table(("model", "explore, s", "times packed"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
