"""How long ASSET takes from process start to verdict on small models: `python benchmarks/startup.py`.

`cold`: the cache of machine code is empty, as the first time a model is checked; `warm`: it has been checked before.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from measure import ToolFailed, interleaved, machine, markdown_table, positive
from tools import OURS, check
from workloads import RING

SMALL = [RING.model, "-p", "n=3"]
LARGE = [RING.model, "-p", "n=30", "--max-states", "1000"]


def distinct_transitions(count: int) -> str:
    """A model of so many transitions that are each written out."""
    units = max(4, count // 10)
    lines = ["from asset import Int, Model, transition, when", "class Many(Model):", "    def state(self):"]
    for unit in range(units):
        lines += [f"        self.at{unit} = Int(0, 15)", f"        self.value{unit} = Int(0, 7)"]
    for number in range(count):
        unit, place, other = number % units, number // units, (7 * number + 3) % units
        lines += [
            "    @transition",
            f"    def step{number}(self):",
            f"        when(self.at{unit} == {place} and self.value{other} < {2 + number % 5})",
            f"        self.at{unit} = {(place + 1) % -(-count // units)}",
            f"        self.value{unit} = (self.value{other} + {1 + number % 4}) % {3 + number % 5}",
        ]
    return "\n".join([*lines, ""])


def many(count: int, folder: str) -> list[str]:
    """Words for checking the beginning of its state space."""
    file = Path(folder) / f"many{count}.py"
    file.write_text(distinct_transitions(count), encoding="utf-8")
    return [str(file), "--max-states", "10"]


Times = tuple[float, float]
"""Of the whole process, and of the compilation in it."""


def times(arguments: Sequence[str], cache: Path) -> Times:
    finished, report = check(arguments, {"ASSET_CACHE_DIR": str(cache)})
    return finished.wall, report["seconds"]["compile"]


def cold(arguments: Sequence[str]) -> Callable[[], Times]:
    """A run with a cache that is new each time."""

    def measure() -> Times:
        with tempfile.TemporaryDirectory() as cache:
            return times(arguments, Path(cache))

    return measure


def warm(arguments: Sequence[str], cache: Path) -> Callable[[], Times]:
    """A run with a cache in which the model already is."""
    times(arguments, cache)
    return lambda: times(arguments, cache)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures process start to verdict, with a cold and a warm cache.")
    parser.add_argument("--repeat", type=positive, default=9, help="runs of each case (default: 9)")
    repeat = parser.parse_args().repeat
    if remedy := OURS.missing():
        print(f"error: missing {remedy}", file=sys.stderr)
        return 1
    try:
        with tempfile.TemporaryDirectory() as cache:
            runs = {
                "ring, n = 3, cold": cold(SMALL),
                "ring, n = 3, warm": warm(SMALL, Path(cache)),
                "ring, n = 30, 1,000 states, cold": cold(LARGE),
                "ring, n = 30, 1,000 states, warm": warm(LARGE, Path(cache)),
                "100 distinct transitions, cold": cold(many(100, cache)),
                "1,000 distinct transitions, cold": cold(many(1000, cache)),
            }
            results = interleaved(runs, repeat, warmed=False)
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    rows = [
        [case, f"{median(wall for wall, _ in samples):.3f}", f"{median(compiling for _, compiling in samples):.3f}"]
        for case, samples in results.items()
    ]
    print(f"Medians of {repeat} interleaved runs; {machine()}\n")
    print(markdown_table(("case", "start to verdict, s", "of which compiling, s"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
