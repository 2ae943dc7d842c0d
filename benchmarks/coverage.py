"""What coverage costs where it is on: `python benchmarks/coverage.py` on an idle machine.

Each system is explored with and without it, in turn. Where it is off, the machine code is that of a tool without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measure import interleaved, machine, markdown_table, positive, tell
from tools import check

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent / "models"
OWN = HERE / "breadth"


class System(NamedTuple):
    """A model, explored up to three million states."""

    name: str
    model: Path
    parameters: tuple[str, ...]


SYSTEMS = (
    System("ring, n = 8", MODELS / "token_ring.py:TokenRing", ("n=8",)),
    System("philosophers, n = 12", OWN / "philosophers.py", ("n=12",)),
    System("Paxos, 3 acceptors, 3 ballots", MODELS / "paxos.py:Paxos", ("acceptors=3", "ballots=3")),
    System("Peterson, n = 4 (processes)", MODELS / "peterson_processes.py:PetersonProcesses", ("n=4",)),
    System("queue without locks (a heap)", MODELS / "michael_scott_queue.py", ("rounds=2,2,2",)),
    System("lifts, n = 5 (many ifs)", OWN / "lifts.py", ("n=5",)),
    System("Raft election, 3 terms", MODELS / "raft_election.py:RaftElection", ("terms=3",)),
)

MOST = "3000000"

HEADER = ("system", "states", "explore, s", "with coverage, s", "cost", "from start to end, s", "with coverage, s")


class Run(NamedTuple):
    states: int
    explore: float
    wall: float


def exploration(system: System, covers: bool) -> Callable[[], Run]:
    def measure() -> Run:
        words = [word for parameter in system.parameters for word in ("-p", parameter)]
        options = ["--symmetry", "off", "--stubborn", "off", "--max-states", MOST, *(["--coverage"] if covers else [])]
        finished, report = check([str(system.model), *words, *options])
        return Run(report["states"], report["seconds"]["explore"], finished.wall)

    return measure


def row(system: System, repeat: int) -> list[str]:
    runs = interleaved({covers: exploration(system, covers) for covers in (False, True)}, repeat, warmed=False)
    off, on = (Run(*map(median, zip(*runs[covers], strict=True))) for covers in (False, True))
    cost = f"{(on.explore / off.explore - 1) * 100:+.1f} %"
    return [
        *(system.name, f"{off.states:,}", f"{off.explore:.3f}", f"{on.explore:.3f}", cost),
        *(f"{off.wall:.2f}", f"{on.wall:.2f}"),
    ]


def report(repeat: int) -> Iterator[str]:
    yield f"Medians of {repeat} interleaved runs; {machine()}\n"
    yield markdown_table(HEADER, [row(system, repeat) for system in SYSTEMS])


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures exploration with coverage and without, on an idle machine.")
    parser.add_argument("--repeat", type=positive, default=5, help="runs of each (default: 5)")
    parser.add_argument("--out", type=Path, help="write the report to this file as well")
    arguments = parser.parse_args()
    return tell(report(arguments.repeat), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
