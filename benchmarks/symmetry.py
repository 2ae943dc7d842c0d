"""What symmetries that are found leave of state spaces, and what they cost (`python benchmarks/symmetry.py`).

Four tables. For some models: the space without and with `--symmetry auto`, how many symmetries there are, and how long
an edge takes to explore with them, as a multiple of what it takes without; both searches run back to back in this
process, so that means something on a machine that is not quite idle. How long it takes to find the symmetries of many
components. The token ring with symmetries, and with derived stubborn sets as well, beside the figures of the papers:
other counts with symmetries, or larger ones with both, are an error. And must progress of one station of the ring,
without symmetries and followed through their renamings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from measure import ToolFailed, machine, markdown_table, positive, tell
from tools import explored
from workloads import MODELS, Counts

from asset import codegen
from asset.analysis.symmetry.symmetries import find_symmetries
from asset.checks.requirements import in_order
from asset.engine import native
from asset.engine.outcome import Limits, Outcome, Task
from asset.frontends.python import compile_model, load
from asset.ir.program import Program
from asset.ir.reductions import Reductions

PREFACE = """\
# Symmetries

Written by `python benchmarks/symmetry.py`; benchmarks/README.md says what is compared.

{machine}
"""

WORKLOADS = (
    ("token_ring.py", (6, 8, 9)),
    ("philosophers.py:OrderedPhilosophers", (8,)),
    ("courteous_philosophers.py", (8, 12)),
    ("client_pool.py:ClientPool", (6, 8)),
)

MANY = (("token_ring.py", 30), ("courteous_philosophers.py", 30), ("client_pool.py:ClientPool", 30))

SLOW = 0.5
"""Seconds: to find the symmetries of so many components must not take longer."""

ENOUGH_EDGES = 50_000
"""Of a reduced space whose exploration is more than starting and ending it."""

SYMMETRY = {
    2: Counts(34, 70),
    3: Counts(156, 450),
    4: Counts(732, 2_720),
    5: Counts(3_456, 15_720),
    6: Counts(16_344, 87_960),
    7: Counts(77_328, 480_600),
    8: Counts(365_904, 2_579_040),
    9: Counts(1_731_456, 13_646_880),
    10: Counts(8_193_312, 71_405_280),
    11: Counts(38_771_136, 370_202_400),
}
BOTH = {
    2: Counts(22, 30),
    3: Counts(73, 109),
    4: Counts(230, 358),
    5: Counts(701, 1_125),
    6: Counts(2_090, 3_462),
    7: Counts(6_145, 10_557),
    8: Counts(17_926, 32_110),
    9: Counts(52_117, 97_765),
    10: Counts(151_490, 298_486),
    11: Counts(441_161, 914_349),
    12: Counts(1_288_670, 2_809_950),
    13: Counts(3_777_949, 8_659_221),
    14: Counts(11_116_762, 26_741_542),
    15: Counts(32_826_001, 82_708_765),
}
"""Of the token ring in the papers, with hand-written reductions."""

RING = str(MODELS / "token_ring.py")
SERVED = f"{MODELS / 'token_ring_variants.py'}:ServedRing"


def compiled(name: str, n: int) -> Program:
    return compile_model(load(str(MODELS / name), {"n": str(n)}))


# --- what is left, and what an edge costs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    plain: Outcome
    reduced: Outcome | None
    order: int | None
    ratio: float | None


def some_models(repeat: int) -> str:
    header = ("model", "n", "states / edges", "with symmetry", "symmetries", "time for an edge")
    return markdown_table(header, [row(name, n, repeat) for name, sizes in WORKLOADS for n in sizes])


def row(name: str, n: int, repeat: int) -> list[str]:
    found = measured(name, n, repeat)
    spaces = [shown(Counts(space.states, space.edges)) if space else "-" for space in (found.plain, found.reduced)]
    ratio = "-" if found.ratio is None else f"{found.ratio:.2f} times"
    return [name, str(n), *spaces, f"{found.order:,}", ratio]


def measured(name: str, n: int, repeat: int) -> Measured:
    program = compiled(name, n)
    symmetries = find_symmetries(program, program.requirements)
    asked = Task((program.initial,), in_order(program.requirements))
    plain = codegen.compile(program)
    if symmetries.group is None:
        return Measured(native.explore(plain, asked, Limits()), None, symmetries.order, None)
    reductions = Reductions(group=symmetries.group)
    reduced, by_symmetry = codegen.compile(program, reductions), replace(asked, reductions=reductions)
    ratios = []
    for _ in range(repeat):
        full, costs = _timed(plain, asked)
        quotient, more = _timed(reduced, by_symmetry)
        ratios.append(more / quotient.edges / (costs / full.edges))
    ratio = median(ratios) if quotient.edges >= ENOUGH_EDGES else None
    return Measured(full, quotient, symmetries.order, ratio)


def _timed(model: native.NativeModel, task: Task) -> tuple[Outcome, float]:
    """The outcome, and the processor's time that it took."""
    started = time.process_time()
    outcome = native.explore(model, task, Limits())
    return outcome, time.process_time() - started


def shown(counts: Counts) -> str:
    return f"{counts.states:,} / {counts.edges:,}"


# --- many components ------------------------------------------------------------------------------------------------


def many_components(repeat: int) -> str:
    import igraph  # noqa: F401  # loading it is not what is measured

    rows = []
    for name, n in MANY:
        program = compiled(name, n)
        seconds, order = [], None
        for _ in range(repeat):
            started = time.process_time()
            order = find_symmetries(program, program.requirements).order
            seconds.append(time.process_time() - started)
        if median(seconds) > SLOW:
            raise ToolFailed(f"{name}: finding symmetries took {median(seconds):.2f} s")
        rows.append([name, str(n), f"{order:.3g}", f"{median(seconds):.3f}"])
    return markdown_table(("model", "n", "symmetries", "s"), rows)


# --- the ring -------------------------------------------------------------------------------------------------------


def ring(largest: int, largest_both: int) -> str:
    rows = []
    for n in range(2, max(largest, largest_both) + 1):
        cells = [by_symmetry(n) if n <= largest else ["-", "-"], by_both(n) if n <= largest_both else ["-", "-", "-"]]
        rows.append([str(n), *cells[0], *cells[1]])
    return markdown_table(("n", "symmetry auto", "s", "both auto", "s", "both by hand, in the papers"), rows)


def by_symmetry(n: int) -> list[str]:
    found = explored(RING, [f"n={n}"], "--symmetry", "auto")
    if found.counts != SYMMETRY.get(n, found.counts):
        raise ToolFailed(f"ring, n = {n}: {found.counts}, but {SYMMETRY[n]} in the papers")
    return [shown(found.counts), f"{found.seconds:.2f}"]


def by_both(n: int) -> list[str]:
    found, papers = explored(RING, [f"n={n}"], "--symmetry", "auto", "--stubborn", "auto"), BOTH.get(n)
    if papers and (found.counts.states > papers.states or found.counts.edges > papers.edges):
        raise ToolFailed(f"ring, n = {n}: {found.counts} with both, but {papers} in the papers")
    return [shown(found.counts), f"{found.seconds:.2f}", shown(papers) if papers else "-"]


# --- progress of one part -------------------------------------------------------------------------------------------


def progress(sizes: range, repeat: int) -> str:
    """Must progress of station 0. Runs are interleaved, and medians are shown."""
    rows = []
    for n in sizes:
        runs = [[explored(SERVED, [f"n={n}"], "--symmetry", s) for s in ("off", "auto")] for _ in range(repeat)]
        cells, seconds = [], []
        for found in zip(*runs, strict=True):
            seconds.append(median(each.seconds for each in found))
            memory = median(each.memory for each in found) / 2**20
            cells += [shown(found[0].counts), f"{seconds[-1]:.2f}", f"{memory:,.0f}"]
        rows.append([str(n), *cells, f"{seconds[0] / seconds[1]:.1f}"])
    return markdown_table(("n", "off", "s", "MiB", "followed", "s", "MiB", "off / followed, s"), rows)


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The parts of the report, each as soon as it is measured."""
    repeat = arguments.repeat
    yield PREFACE.format(machine=machine())
    yield f"## What is left, and what an edge costs\n\n{some_models(repeat)}\n"
    yield f"## Finding the symmetries of many components\n\n{many_components(repeat)}\n"
    yield f"## The token ring\n\n{ring(arguments.ring, arguments.both)}\n"
    yield f"## Must progress of one station\n\n{progress(range(6, arguments.progress + 1), repeat)}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="runs of which the median is taken")
    parser.add_argument("--ring", type=positive, default=10, metavar="N", help="the largest ring (default: 10)")
    parser.add_argument("--both", type=positive, default=15, metavar="N", help="with both reductions (default: 15)")
    parser.add_argument("--progress", type=positive, default=9, metavar="N", help="for progress (default: 9)")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    arguments = parser.parse_args()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
