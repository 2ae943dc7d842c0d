"""What a cluster costs and saves: one rank against the plain search, then more ranks; `python benchmarks/cluster.py`.

For each model: seconds of exploring, speed-up against one rank, the largest share of the states that a rank has against
an even one, the memory of the largest, bytes exchanged for each edge, and the share of the time that ranks waited. From
these, what larger clusters would take.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from statistics import median
from typing import Any

from measure import ToolFailed, interleaved, machine, markdown_table, positive
from tools import OURS, check

from asset.version import VERSION

MODELS = {
    "ring": ["models/token_ring.py", "-p", "n=9"],
    "ring-10": ["models/token_ring.py", "-p", "n=10"],
    "raft": ["models/raft_election.py:RaftElection", "-p", "servers=3", "-p", "terms=3", "--only", "safety"],
    "coherence": ["benchmarks/breadth/coherence.py", "-p", "n=5", "--only", "safety"],
    "bakery": ["models/bakery.py:Bakery", "-p", "n=5", "--only", "safety"],
}


@dataclass(slots=True)
class Measured:
    """The last report of a run, besides its seconds."""

    report: dict[str, Any]


def run(words: list[str], ranks: int, last: dict[int, Measured]) -> Callable[[], float]:
    """Explores with so many ranks; 0 is the plain search. All must count the same."""
    how = ["--cluster", "local", "--ranks", str(ranks)] if ranks else ["--stubborn", "off", "--symmetry", "off"]

    def measure() -> float:
        _, report = check([*words, *how])
        last[ranks] = Measured(report)
        first = next(iter(last.values())).report
        for name in ("states", "edges", "depth", "terminal_states"):
            if report[name] != first[name]:
                raise ToolFailed(f"{ranks} ranks count {report[name]:,} {name}, not {first[name]:,}")
        seconds: float = report["seconds"]["explore"]
        return seconds

    return measure


def row(ranks: int, seconds: float, one: float, last: dict[int, Measured]) -> list[str]:
    report = last[ranks].report
    parts = report.get("ranks", [])
    timed = [f"{seconds:.2f}", f"{one / seconds:.2f}"]
    if not parts:
        return ["plain", *timed, "", "", f"{report['memory']['peak'] >> 20}", "", ""]
    busy = max(each["busy"] for each in parts)
    share = max(each["states"] for each in parts) * len(parts) / report["states"]
    memory = max(each["memory_peak"] for each in parts)
    sent = sum(each["exchanged"] for each in parts) / report["edges"]
    waited = max(each["waited"] for each in parts) / seconds
    return [str(ranks), *timed, f"{busy:.2f}", f"{share:.3f}", f"{memory >> 20}", f"{sent:.2f}", f"{waited:.0%}"]


TITLES = (
    "ranks",
    "explore, s",
    "speed-up",
    "busiest, s",
    "largest share",
    "MiB of a rank",
    "bytes sent/edge",
    "waited",
)


@dataclass(frozen=True, slots=True)
class Costs:
    """What a search costs, from what one rank and more of them took on this machine.

    Whose a state is depends on parities that few steps change. Each doubling of the ranks asks for one parity more, so
    the share of the steps that change one of them grows by about as much each time; of P ranks, 1/P of these steps
    leads to the same one by chance. So (1 - 1/P)(a + b log2 P) bytes are sent for each edge.
    """

    edges: float  # for each state
    own: float  # seconds of a processor for each edge
    sent: float  # more of them for each byte that is sent
    leaving: float  # a: bytes
    doubling: float  # b: bytes
    memory: float  # for each state, bytes

    @staticmethod
    def of(reports: dict[int, dict[str, Any]]) -> Costs:
        one = reports[1]
        edges, states = one["edges"], one["states"]
        own, _ = _of_an_edge(one)
        few, many = min(set(reports) - {0, 1}), max(reports)
        both, exchanged = _of_an_edge(reports[few])
        first = exchanged / (1 - 1 / few)
        doublings = log2(many / few)
        doubling = (_of_an_edge(reports[many])[1] / (1 - 1 / many) - first) / doublings if doublings else 0.0
        leaving = first - doubling * log2(few)
        more = max(0.0, both - own) / exchanged
        return Costs(edges / states, own, more, leaving, doubling, one["memory"]["bytes_per_state"])

    def exchanged(self, ranks: int) -> float:
        """Bytes for each edge."""
        return (1 - 1 / ranks) * (self.leaving + self.doubling * log2(ranks))

    def predicted(self, states: float, ranks: int) -> list[str]:
        """With so many threads to a rank, and a network that takes so many bytes a second from each rank."""
        share, exchanged = states * self.edges / ranks, self.exchanged(ranks)
        computing = share * (self.own + exchanged * self.sent) / THREADS
        sending = share * exchanged / NETWORK
        needed = states * self.memory / ranks / 2**30
        slowest = "the network" if sending > computing else "the processors"
        times = [f"{hours(computing)}", f"{hours(sending)}"]
        return [f"{states:.0e}", f"{ranks:,}", *times, f"{needed:,.1f}", slowest]


def _of_an_edge(report: dict[str, Any]) -> tuple[float, float]:
    """Seconds of processors and bytes that are sent, of all ranks together."""
    parts, edges = report["ranks"], report["edges"]
    return sum(each["busy"] for each in parts) / edges, sum(each["exchanged"] for each in parts) / edges


THREADS = 8
NETWORK = 1.25e9  # bytes a second: ten gigabits
PREDICTED = ("states", "ranks of 8 threads", "computing", "sending at 10 Gbit/s", "GiB of a rank", "what takes longest")


def hours(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 3600:,.1f} h"


def predictions(costs: Costs) -> str:
    rows = [costs.predicted(10.0**power, ranks) for power in (9, 10, 11, 12) for ranks in (16, 128, 1024)]
    return markdown_table(PREDICTED, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures searches by clusters of processes of this machine.")
    parser.add_argument("--model", choices=sorted(MODELS), default="ring", help="which model (default: ring, n = 9)")
    parser.add_argument("--ranks", type=positive, nargs="+", default=[1, 2], help="numbers of ranks (default: 1 2)")
    parser.add_argument("--repeat", type=positive, default=3, help="runs of each (default: 3)")
    arguments = parser.parse_args()
    if remedy := OURS.missing():
        print(f"error: missing {remedy}", file=sys.stderr)
        return 1
    last: dict[int, Measured] = {}
    try:
        runs = {ranks: run(MODELS[arguments.model], ranks, last) for ranks in (0, *arguments.ranks)}
        seconds = interleaved(runs, arguments.repeat, warmed=False)
    except ToolFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    medians = {ranks: median(samples) for ranks, samples in seconds.items()}
    one = medians.get(1, medians[0])
    print(f"{arguments.model}, ASSET {VERSION}; medians of {arguments.repeat} interleaved runs; {machine()}\n")
    print(markdown_table(TITLES, [row(ranks, medians[ranks], one, last) for ranks in runs]))
    if 1 in last and max(last) > 1:
        print(f"\n{predictions(Costs.of({ranks: each.report for ranks, each in last.items()}))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
