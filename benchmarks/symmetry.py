"""What symmetries that are found leave of state spaces, and what they cost (`python benchmarks/symmetry.py`).

For each model: the space without and with `--symmetry auto`, how many symmetries there are, how long it took to find
them, and how long an edge takes to explore with them, as a multiple of what it takes without. Both searches run back to
back in this process, so that means something on a machine that is not quite idle. Of a small space it means nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import machine, markdown_table, positive

from asset import codegen
from asset.analysis.symmetry import find_symmetries
from asset.engine import native
from asset.engine.outcome import Limits, Outcome, Task
from asset.frontends.python import compile_model, load
from asset.ir.program import PropertyKind

MODELS = Path(__file__).parent.parent / "models"

WORKLOADS = (
    ("token_ring.py", (6, 8, 9)),
    ("philosophers.py:OrderedPhilosophers", (8,)),
    ("courteous_philosophers.py", (8, 12)),
    ("client_pool.py:ClientPool", (6, 8)),
)

ENOUGH_EDGES = 50_000
"""Of a reduced space whose exploration is more than starting and ending it."""

HEADER = ("model", "n", "states", "edges", "with symmetry", "", "symmetries", "found in", "time for an edge")


@dataclass(frozen=True, slots=True)
class Measured:
    plain: Outcome
    reduced: Outcome | None
    order: int | None
    seconds: float
    ratio: float | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="runs of which the median is taken")
    repeat = parser.parse_args().repeat
    print(machine(), end="\n\n")
    print(markdown_table(HEADER, list(_rows(repeat))))


def _rows(repeat: int) -> Iterator[tuple[str, ...]]:
    for name, sizes in WORKLOADS:
        for n in sizes:
            found = measured(name, n, repeat)
            reduced = found.reduced
            counts = ("-", "-") if reduced is None else (f"{reduced.states:,}", f"{reduced.edges:,}")
            ratio = "-" if found.ratio is None else f"{found.ratio:.2f} times"
            plain = (f"{found.plain.states:,}", f"{found.plain.edges:,}")
            yield (name, str(n), *plain, *counts, f"{found.order:,}", f"{found.seconds:.3f} s", ratio)


def measured(name: str, n: int, repeat: int) -> Measured:
    program = compile_model(load(str(MODELS / name), {"n": str(n)}))
    started = time.process_time()
    symmetries = find_symmetries(program, range(len(program.properties)))
    seconds = time.process_time() - started
    asked = Task({kind: (1 << len(program.properties_of(kind))) - 1 for kind in PropertyKind})
    plain = codegen.compile(program, False, False)
    if symmetries.group is None:
        return Measured(native.explore(plain, asked, Limits()), None, symmetries.order, seconds, None)
    reduced = codegen.compile(program, False, True, None, symmetries.group)
    by_symmetry = Task(asked.properties, symmetry=True)
    ratios = []
    for _ in range(repeat):
        full, costs = _timed(plain, asked)
        quotient, more = _timed(reduced, by_symmetry)
        ratios.append(more / quotient.edges / (costs / full.edges))
    ratio = median(ratios) if quotient.edges >= ENOUGH_EDGES else None
    return Measured(full, quotient, symmetries.order, seconds, ratio)


def _timed(model: native.NativeModel, task: Task) -> tuple[Outcome, float]:
    """The outcome, and the processor's time that it took."""
    started = time.process_time()
    outcome = native.explore(model, task, Limits())
    return outcome, time.process_time() - started


if __name__ == "__main__":
    main()
