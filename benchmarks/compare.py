"""Compares ASSET with SPIN and Rumur on the same state spaces: `python benchmarks/compare.py --help`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import interleaved, machine, markdown_table, positive, tell
from tools import OURS, Measurement, Tool, available, prepare
from workloads import WORKLOADS, Workload

HEADER = (
    "tool",
    "states",
    "edges",
    "explore, s",
    "M edges/s",
    "time / ours",
    "bytes/state",
    "whole run, s",
    "resident, MB",
)

PREFACE = """\
# Comparison with SPIN and Rumur

Written by `python benchmarks/compare.py`; benchmarks/README.md says what is measured and how. All tools explore the
same states and edges, on one thread, without reductions. Medians of {repeat} interleaved runs.

{machine}
"""


@dataclass(frozen=True, slots=True)
class Medians:
    """Of several measurements; None if there is nothing to take the median of."""

    seconds: float
    bytes_per_state: float | None
    wall: float
    resident: float | None

    @classmethod
    def of(cls, samples: Sequence[Measurement]) -> Medians:
        return cls(
            median(s.seconds for s in samples),
            _median_of_known([s.bytes_per_state for s in samples]),
            median(s.process.wall for s in samples),
            _median_of_known([s.process.peak_memory for s in samples]),
        )


def _median_of_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def compare(tools: Sequence[Tool], workload: Workload, size: int, repeat: int) -> dict[str, Medians]:
    """The medians of each tool, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        runs = {tool.name: prepare(tool, workload, size, Path(folder)) for tool in tools}
        return {name: Medians.of(samples) for name, samples in interleaved(runs, repeat).items()}


def rows(workload: Workload, size: int, medians: Mapping[str, Medians]) -> Iterator[list[str]]:
    """A line of the table for each tool, ours first."""
    counts = workload.counts[size]
    ours = medians.get(OURS.name)
    for name, m in medians.items():
        ratio = f"{m.seconds / ours.seconds:.1f}" if ours and m is not ours and ours.seconds else "-"
        yield [
            name,
            f"{counts.states:,}",
            f"{counts.edges:,}",
            f"{m.seconds:.2f}",
            f"{counts.edges / m.seconds / 1e6:.1f}" if m.seconds else "-",
            ratio,
            f"{m.bytes_per_state:.0f}" if m.bytes_per_state is not None else "-",
            f"{m.wall:.2f}",
            f"{m.resident / 1e6:.0f}" if m.resident is not None else "-",
        ]


def report(workloads: Sequence[Workload], sizes: Sequence[int] | None, repeat: int) -> Iterator[str]:
    """The parts of the report, each as soon as it is measured."""
    tools = available()
    yield PREFACE.format(repeat=repeat, machine=machine())
    for workload in workloads:
        for size in sizes or workload.usual_sizes:
            medians = compare(tools, workload, size, repeat)
            yield f"## {workload.name}, n = {size}\n\n{markdown_table(HEADER, list(rows(workload, size, medians)))}\n"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compares ASSET with SPIN and Rumur on the same state spaces.")
    parser.add_argument("--sizes", type=int, nargs="+", help="sizes to measure (default: one of moderate size)")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each tool (default: 5)")
    parser.add_argument("--only", help=f"workloads, separated by commas (of: {', '.join(WORKLOADS)})")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    arguments = parser.parse_args()
    arguments.workloads = _chosen(parser, arguments.only, arguments.sizes or [])
    return arguments


def _chosen(parser: argparse.ArgumentParser, only: str | None, sizes: Sequence[int]) -> list[Workload]:
    names = only.split(",") if only else list(WORKLOADS)
    for name in names:
        if name not in WORKLOADS:
            parser.error(f"--only: no workload {name!r}; there are: {', '.join(WORKLOADS)}")
        for size in sizes:
            if size not in WORKLOADS[name].counts:
                known = ", ".join(map(str, WORKLOADS[name].counts))
                parser.error(f"--sizes: {size} is not a size of {name}; those are: {known}")
    return [WORKLOADS[name] for name in names]


def main() -> int:
    arguments = parse_arguments()
    return tell(report(arguments.workloads, arguments.sizes, arguments.repeat), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
