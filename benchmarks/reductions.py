"""What stubborn sets leave of state spaces: written by hand, derived, and SPIN's (`python benchmarks/reductions.py`).

Two tables of the ancestor's papers (the token ring, Peterson's algorithm) with hand-written and derived rules side by
side, and two of small protocols with derived rules beside SPIN's partial order reduction: of those that end, and of
those that run for ever, in which nothing may be ignored. If derived rules leave more states than hand-written ones or
than SPIN, that is an error.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import ToolFailed, machine, markdown_table, positive, run, tell
from tools import Explored, Spin, explored
from workloads import MODELS, PEERS, Counts

PREFACE = """\
# Stubborn sets

Written by `python benchmarks/reductions.py`; benchmarks/README.md says what is compared. Seconds are those of the whole
run, from the start of the process to its end, with an empty code cache.

{machine}
"""

METHODS = ("off", "hand", "auto")


@dataclass(frozen=True, slots=True)
class Protocol:
    """A model of ours that `peer` has in Promela, for SPIN; `size` is the peer's N, `parameters` those of our model.
    `options` leave out what the peer does not assert; with `asserted`, it has assertions that it has not otherwise."""

    model: str
    peer: str
    size: int
    parameters: tuple[str, ...]
    options: tuple[str, ...] = ()
    asserted: bool = False

    @property
    def title(self) -> str:
        return " ".join([f"{self.model.partition(':')[2]}({', '.join(self.parameters)})", *self.options])


SAFETY = ("--only", "safety")

PETERSONS = ("PetersonUnrevealing", "PetersonRevealing", "Peterson", "PetersonSwapped")

PROTOCOLS = (
    Protocol("philosophers.py:OrderedPhilosophers", "philosophers", 5, ("n=5",)),
    Protocol("philosophers.py:OrderedPhilosophers", "philosophers", 8, ("n=8",)),
    Protocol("bounded_buffer.py:BoundedBuffer", "bounded_buffer", 3, ("producers=3", "consumers=3", "capacity=2")),
    Protocol("readers_writers.py:ReadersWriters", "readers_writers", 2, ("readers=2", "writers=2")),
    Protocol("readers_writers.py:ReadersWriters", "readers_writers", 4, ("readers=4", "writers=4")),
    Protocol("alternating_bit.py:AlternatingBit", "alternating_bit", 10, ("messages=10",)),
    Protocol("two_phase_commit.py:TwoPhaseCommit", "two_phase_commit", 3, ("n=3",)),
    Protocol("two_phase_commit.py:TwoPhaseCommit", "two_phase_commit", 8, ("n=8",)),
)

ENDLESS = (
    Protocol("client_server.py:ClientServer", "client_server", 3, ("clients=3", "servers=1"), ("--only", "may")),
    Protocol("client_server.py:ClientServer", "client_server", 4, ("clients=4", "servers=1"), ("--only", "may")),
    Protocol("client_server.py:ClientServer", "client_server", 3, ("clients=3", "servers=1"), SAFETY, asserted=True),
    Protocol("client_server.py:ClientServer", "client_server", 4, ("clients=4", "servers=1"), SAFETY, asserted=True),
    Protocol("philosophers_chairs.py:ChairsPhilosophers", "philosophers_chairs", 5, ("n=5",)),
    Protocol("philosophers_chairs.py:ChairsPhilosophers", "philosophers_chairs", 7, ("n=7",)),
    Protocol("courteous_philosophers.py:CourteousPhilosophers", "courteous_philosophers", 4, ("n=4",)),
    Protocol("courteous_philosophers.py:CourteousPhilosophers", "courteous_philosophers", 7, ("n=7",)),
    Protocol("database_manager.py:DatabaseManager", "database_manager", 4, ("n=4",)),
    Protocol("database_manager.py:DatabaseManager", "database_manager", 7, ("n=7",)),
    Protocol("bakery.py:Bakery", "bakery", 2, ("n=2",)),
    Protocol("bakery.py:Bakery", "bakery", 3, ("n=3",)),
    Protocol("peterson.py:PetersonUnrevealing", "peterson_unrevealing", 2, ("n=2",), SAFETY),
    Protocol("peterson.py:PetersonUnrevealing", "peterson_unrevealing", 3, ("n=3",), SAFETY),
)


def by_stubborn(model: str, parameters: Sequence[str], stubborn: str, *options: str) -> Explored:
    return explored(str(MODELS / model), parameters, "--stubborn", stubborn, *options)


def shown(found: Explored | None) -> list[str]:
    if found is None:
        return ["-", "-"]
    return [told(found.counts), f"{found.seconds:.2f}"]


def row(title: str, found: Sequence[Explored | None]) -> list[str]:
    """A line of the papers' tables: what each method explored, and how much faster derived rules are than none."""
    plain, hand, auto = found
    if hand is not None and auto is not None:
        require_at_most(title, auto.counts, hand.counts, "hand-written rules")
    faster = f"{plain.seconds / auto.seconds:.1f}" if plain and auto else "-"
    return [title, *(word for each in found for word in shown(each)), faster]


def require_at_most(title: str, ours: Counts, theirs: Counts, whose: str) -> None:
    if ours.states > theirs.states or ours.edges > theirs.edges:
        raise ToolFailed(f"{title}: derived rules leave {ours}, {whose} {theirs}")


def paper_table(name: str, rows: Sequence[Sequence[str]]) -> str:
    header = [name]
    for method in METHODS:
        header += [f"{method}: states / edges", "s"]
    return markdown_table([*header, "off / auto, s"], rows)


def ring(largest: int, largest_plain: int) -> str:
    """The token ring from 2 stations on; without reduction up to `largest_plain` of them."""
    rows = []
    for n in range(2, largest + 1):
        methods = [None if m == "off" and n > largest_plain else m for m in METHODS]
        found = [m and by_stubborn("token_ring.py:TokenRing", [f"n={n}"], m) for m in methods]
        rows.append(row(str(n), [each or None for each in found]))
    return paper_table("n", rows)


def peterson(largest: int) -> str:
    """The four models of Peterson's algorithm; each is explored completely, or up to its error."""
    rows = []
    for name in PETERSONS:
        for n in range(2, largest + 1):
            found = [by_stubborn(f"peterson.py:{name}", [f"n={n}"], method) for method in METHODS]
            rows.append(row(f"{name}, n = {n}", found))
    return paper_table("model", rows)


def spin(protocol: Protocol, *options: str) -> Counts:
    """What SPIN explores, with its partial order reduction unless the options switch it off."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        defined = [f"-DN={protocol.size}", *["-DASSERTED"] * protocol.asserted]
        run(["spin", "-o3", *defined, "-a", str(PEERS / f"{protocol.peer}.pml")], folder)
        run(["gcc", "-O1", "-w", "-DSAFETY", *options, "-o", "pan", "pan.c"], folder)
        return Spin.read(run(["./pan", "-m1000000"], folder)).counts


def protocols() -> str:
    """Small protocols: how much of each is left by derived rules, and by SPIN if it is installed."""
    installed = spin_is_installed()
    if not installed:
        print("not measured: SPIN; missing spin and gcc: apt install spin gcc", file=sys.stderr)
    return markdown_table(
        ["model", "full: states / edges", "auto: states / edges", "SPIN: states / edges"],
        [protocol_row(protocol, installed) for protocol in PROTOCOLS],
    )


def spin_is_installed() -> bool:
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def protocol_row(protocol: Protocol, with_spin: bool) -> list[str]:
    full, auto = (by_stubborn(protocol.model, protocol.parameters, method).counts for method in ("off", "auto"))
    found = [full, auto]
    if with_spin:
        require_same(protocol, full)
        found.append(spin(protocol))
        require_at_most(protocol.title, auto, found[-1], "SPIN")
    cells = list(map(told, found))
    return [protocol.title, *cells, *["-"] * (3 - len(cells))]


def told(counts: Counts) -> str:
    return f"{counts.states:,} / {counts.edges:,}"


def require_same(protocol: Protocol, ours: Counts) -> None:
    """Without reduction, SPIN's model must have the states and edges of ours, or nothing is compared."""
    unreduced = spin(protocol, "-DNOREDUCE")
    if unreduced != ours:
        raise ToolFailed(f"{protocol.title}: SPIN explores {unreduced}, we {ours}")


def endless() -> str:
    """Protocols that run for ever: SPIN's proviso for cycles is another depth-first than breadth-first."""
    return markdown_table(
        ["model", "full: states / edges", "auto: states / edges", "repair, s", "SPIN: states / edges", "SPIN, BFS"],
        [endless_row(protocol, spin_is_installed()) for protocol in ENDLESS],
    )


def endless_row(protocol: Protocol, with_spin: bool) -> list[str]:
    model, parameters, options = protocol.model, protocol.parameters, protocol.options
    full, auto = (by_stubborn(model, parameters, method, *options) for method in ("off", "auto"))
    cells = [told(full.counts), told(auto.counts), f"{auto.repair:.3f}"]
    if not with_spin:
        return [protocol.title, *cells, "-", "-"]
    require_same(protocol, full.counts)
    for search in ([], ["-DBFS"]):
        found = spin(protocol, *search)
        require_at_most(protocol.title, auto.counts, found, "SPIN")
        cells.append(told(found))
    return [protocol.title, *cells]


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The parts of the report, each as soon as it is measured."""
    yield PREFACE.format(machine=machine())
    yield f"## Small protocols\n\n{protocols()}\n"
    yield f"## Protocols that run for ever\n\n{endless()}\n"
    yield f"## The token ring\n\n{ring(arguments.ring, arguments.plain)}\n"
    yield f"## Peterson's algorithm\n\n{peterson(arguments.peterson)}\n"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What stubborn sets leave of state spaces: by hand, derived, SPIN's.")
    parser.add_argument("--ring", type=positive, default=12, metavar="N", help="the largest ring (default: 12)")
    parser.add_argument(
        "--plain", type=positive, default=9, metavar="N", help="the largest one not reduced (default: 9)"
    )
    parser.add_argument("--peterson", type=positive, default=4, metavar="N", help="most customers (default: 4)")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
