"""Compares ASSET with SPIN on systems of different kinds: `python benchmarks/breadth.py --help`.

Each model is in benchmarks/breadth/ (or models/) in Python, and in benchmarks/peers/ in Promela with the same states
and edges, which is checked. What is compared is processor time, so that other work on the machine disturbs it little.
Ours is that of exploring, without the start of Python and the compilation; SPIN's that of `pan`. All are as large as
models whose checking people wait for, so that what either tool does only once hardly counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import interlocking
from measure import ToolFailed, interleaved, machine, markdown_table, positive, run, tell
from tools import Spin, timed
from workloads import MODELS, PEERS, Counts

OWN = Path(__file__).resolve().parent / "breadth"

HEADER = ("model", "states", "edges", "ours, s", "M edges/s", "SPIN, s", "SPIN / ours", "bytes", "SPIN's", "ratio")

PREFACE = """\
# Systems of different kinds, compared with SPIN

Written by `python benchmarks/breadth.py`; its head says what is measured. Both tools explore the same states and edges
on one thread, without reductions, and check one invariant or none. Seconds are of processor time, of {runs};
bytes are for each state, all included.

{machine}
"""


@dataclass(frozen=True, slots=True)
class System:
    """A model of some size, in both languages, and the state space that both must find."""

    name: str
    model: str
    peer: str
    n: int
    counts: Counts


SYSTEMS = (
    System("interlocking", "", "", 17, Counts(8_513_664, 47_033_248)),
    System("lifts", str(OWN / "lifts.py"), "lifts", 5, Counts(4_718_584, 29_090_224)),
    System("election", str(OWN / "election.py"), "election", 13, Counts(2_329_690, 17_692_873)),
    System("sliding window", str(OWN / "window.py"), "window", 128, Counts(4_861_440, 20_573_568)),
    System("cache coherence", str(OWN / "coherence.py"), "coherence", 5, Counts(10_977_849, 73_386_000)),
    System("bus arbiter", str(OWN / "arbiter.py"), "arbiter", 6, Counts(5_392_896, 29_065_344)),
    System("scheduler", str(OWN / "scheduler.py"), "scheduler", 8, Counts(13_023_139, 39_631_203)),
    System("multicast", str(OWN / "multicast.py"), "multicast", 5, Counts(4_194_304, 47_185_924)),
    System("flag philosophers", str(OWN / "philosophers.py"), "flag_philosophers", 12, Counts(4_165_552, 34_459_080)),
    System("token ring", str(MODELS / "token_ring.py"), "token_ring", 8, Counts(2_927_232, 20_632_320)),
    System("bakery", f"{MODELS / 'bakery.py'}:Bakery", "bakery", 5, Counts(34_189_260, 145_619_046)),
    System("Peterson", f"{MODELS / 'peterson.py'}:Peterson", "peterson", 4, Counts(26_209_918, 104_839_672)),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: seconds of processor time, and bytes for each state."""

    seconds: float
    bytes_per_state: float


def text_of(system: System, folder: Path) -> tuple[list[str], Path, list[str]]:
    """The model as words for `asset check`, the Promela file, and options of SPIN."""
    if system.model:
        return [system.model, "-p", f"n={system.n}"], PEERS / f"{system.peer}.pml", [f"-DN={system.n}"]
    python, promela = folder / f"{system.name}.py", folder / f"{system.name}.pml"
    python.write_text(interlocking.python_text(system.n), encoding="utf-8")
    promela.write_text(interlocking.promela_text(system.n), encoding="utf-8")
    return [str(python)], promela, []


def ours(system: System, words: list[str], folder: Path) -> Callable[[], Sample]:
    cache = folder / "cache"
    cache.mkdir()

    def measure() -> Sample:
        found = timed([*words, "--only", "safety"], cache)
        agree("ASSET", system, found.counts)
        return Sample(found.seconds, found.bytes_per_state)

    return measure


def spins(system: System, promela: Path, options: list[str], folder: Path) -> Callable[[], Sample]:
    run(["spin", *options, "-a", str(promela)], folder)
    run(["gcc", "-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=12000", "-o", "pan", "pan.c"], folder)
    bits = system.counts.states.bit_length() + 1
    command = ["./pan", f"-w{bits}", f"-m{system.counts.states + 10_000}"]

    def measure() -> Sample:
        finished = run(command, folder)
        found = Spin.read(finished)
        agree("SPIN", system, found.counts, digits=8)
        return Sample(finished.cpu, found.bytes_per_state or 0)

    return measure


def agree(tool: str, system: System, counts: Counts, digits: int = 18) -> None:
    """SPIN rounds what it tells to eight digits."""
    known = system.counts
    if (counts.states, counts.edges) != (known.states, rounded(known.edges, digits)):
        raise ToolFailed(f"{tool}, {system.name}: {counts}, not {system.counts}")


def rounded(number: int, digits: int) -> int:
    return round(number, min(0, digits - len(str(number))))


def row(system: System, repeat: int) -> tuple[list[str], float, float]:
    """A line of the table; how many times as long SPIN takes, and how many times as many bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words, promela, options = text_of(system, folder)
        runs = {"ours": ours(system, words, folder), "spin": spins(system, promela, options, folder)}
        found = interleaved(runs, repeat, warmed=False)
    mine, other = (median(s.seconds for s in found[key]) for key in ("ours", "spin"))
    bytes_mine, bytes_other = (median(s.bytes_per_state for s in found[key]) for key in ("ours", "spin"))
    counts = system.counts
    line = [
        f"{system.name}, n = {system.n}",
        f"{counts.states:,}",
        f"{counts.edges:,}",
        f"{mine:.2f}",
        f"{counts.edges / mine / 1e6:.1f}",
        f"{other:.2f}",
        f"{other / mine:.1f}",
        f"{bytes_mine:.0f}",
        f"{bytes_other:.0f}",
        f"{bytes_other / bytes_mine:.1f}",
    ]
    return line, other / mine, bytes_other / bytes_mine


def report(systems: Sequence[System], repeat: int) -> Iterator[str]:
    runs = "one run each" if repeat == 1 else f"medians of {repeat} interleaved runs"
    yield PREFACE.format(runs=runs, machine=machine())
    rows, times, sizes = [], [], []
    for system in systems:
        line, time, size = row(system, repeat)
        print(" | ".join(line), file=sys.stderr, flush=True)
        rows.append(line)
        times.append(time)
        sizes.append(size)
    yield markdown_table(HEADER, rows)
    yield f"\nSPIN's time over ours: median {median(times):.1f}, least {min(times):.1f}."
    yield f"SPIN's bytes over ours: median {median(sizes):.1f}, least {min(sizes):.1f}.\n"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compares ASSET with SPIN on systems of different kinds.")
    parser.add_argument("--repeat", type=positive, default=3, help="runs of each tool (default: 3)")
    parser.add_argument("--only", help=f"systems, separated by commas (of: {', '.join(s.name for s in SYSTEMS)})")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    chosen = arguments.only.split(",") if arguments.only else [system.name for system in SYSTEMS]
    return tell(report([s for s in SYSTEMS if s.name in chosen], arguments.repeat), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
