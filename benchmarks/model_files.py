"""The token ring as a .model file, as a Python model, and in a stand-in for the original tool: edges per second.

python benchmarks/model_files.py [--sizes 8 9] [--repeat 3]
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measure import ToolFailed, interleaved, markdown_table, positive, run
from tools import check
from workloads import MODELS, RING, Counts

STANDIN = Path(__file__).resolve().parent / "standin" / "token_ring.cpp"
MODEL_FILE = str(MODELS / "asset" / "ring.model")


def asset(size: int, *arguments: str) -> Callable[[], float]:
    """Edges per second of one exploration, in millions."""

    def measure() -> float:
        _, report = check(arguments)
        _require(Counts(report["states"], report["edges"]), size)
        edges: int = report["edges"]
        return edges / float(report["seconds"]["explore"]) / 1e6

    return measure


def standin(size: int, folder: Path) -> Callable[[], float]:
    compiler = shutil.which("c++") or shutil.which("g++") or "c++"
    program = folder / f"ring{size}"
    run([compiler, "-O2", f"-DN={size}", str(STANDIN), "-o", str(program)], folder)

    def measure() -> float:
        found = re.search(r"(\d+) states, (\d+) edges, ([\d.]+) s", run([str(program)], folder).stdout)
        assert found is not None
        _require(Counts(int(found[1]), int(found[2])), size)
        return int(found[2]) / float(found[3]) / 1e6

    return measure


def _require(counts: Counts, size: int) -> None:
    if counts != RING.counts[size]:
        raise ToolFailed(f"ring {size}: {counts}, not {RING.counts[size]}")


def compared(size: int, repeat: int, folder: Path) -> list[str]:
    """A row of the table."""
    runs = {
        "model": asset(size, MODEL_FILE, "-D", f"size_par={size}"),
        "python": asset(size, RING.model, "-p", f"n={size}"),
        "standin": standin(size, folder),
    }
    speeds = {name: statistics.median(each) for name, each in interleaved(runs, repeat).items()}
    model = speeds["model"]
    ratios = [f"{model / speeds['python']:.2f}", f"{model / speeds['standin']:.1f}"]
    return [str(size), *(f"{speeds[name]:.1f}" for name in runs), *ratios]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=positive, nargs="+", default=[8, 9], metavar="N", choices=RING.counts)
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="runs of each (default 3)")
    arguments = parser.parse_args()
    header = ["n", ".model, M edges/s", "Python", "stand-in", ".model / Python", ".model / stand-in"]
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows = [compared(size, arguments.repeat, Path(folder)) for size in arguments.sizes]
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    print(markdown_table(header, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
