"""Formulas of linear time logic: on the fly beside SPIN, and on a kept graph (`python benchmarks/temporal.py`).

Each formula is asked of one of our models and of the same model in Promela, by turns. SPIN's search is depth-first,
nested, without partial order reduction. Both must come to the same answer; their automata, and so the products, may
differ. Seconds are those of the search, the least of some rounds.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import ToolFailed, interleaved, machine, markdown_table, positive, run, tell
from reductions import spin_is_installed
from tools import check
from workloads import MODELS, PEERS

PREFACE = """\
# Temporal logic

Written by `python benchmarks/temporal.py`; benchmarks/README.md says what is compared.

{machine}
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A formula of ours, and the same for SPIN, whose model is made with the definitions."""

    title: str
    model: str
    parameters: tuple[str, ...]
    formula: str
    peer: str
    definitions: tuple[str, ...]
    claim: str
    options: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        given = [word for parameter in self.parameters for word in ("-p", parameter)]
        return [str(MODELS / self.model), *given, "--only", "temporal", *self.options]


def ring(n: int, ours: str, theirs: str) -> Question:
    return Question(f"ring, n = {n}", "token_ring.py", (f"n={n}",), ours, "token_ring", (f"-DN={n}",), theirs)


def peterson(n: int, ours: str, theirs: str) -> Question:
    model = "peterson.py:Peterson"
    return Question(f"Peterson, n = {n}", model, (f"n={n}",), ours, "peterson", (f"-DN={n}",), theirs)


def clients(many: int, servers: int, ours: str, theirs: str) -> Question:
    parameters = (f"clients={many}", f"servers={servers}")
    definitions = (f"-DN={many}", f"-DSERVERS={servers}")
    title = f"clients, servers ({many}, {servers})"
    return Question(title, "client_server.py", parameters, ours, "clients_servers", definitions, theirs)


AGAIN = ("GF client[0] == Client.CRITICAL -> GF client[0] == Client.REQUESTED", "[]<> cr -> []<> re")
ENTERS = ("G (client[0] == Client.REQUESTED -> F client[0] == Client.CRITICAL)", "[] (re -> <> cr)")
PASSES = (
    "GF at[0] == At.CRITICAL & GF at[0] == At.NEXT_GATE -> GF at[0] == At.START",
    "[]<> cr && []<> ne -> []<> st",
)
THINKS = (
    "GF client[0] == Client.SERVED & GF client[0] == Client.WAITING -> GF client[0] == Client.THINKING",
    "[]<> is_served && []<> is_waiting -> []<> is_thinking",
)
ANSWERED = ("G (client[0] == Client.WAITING -> F client[0] == Client.SERVED)", "[] (is_waiting -> <> is_served)")

SYMBOLS = {
    "token_ring": "#define re (client[0] == REQUESTED)\n#define cr (client[0] == CRITICAL)\n",
    "peterson": "#define st (at[0] == START)\n#define ne (at[0] == NEXT_GATE)\n#define cr (at[0] == CRITICAL)\n",
    "clients_servers": "",
}
"""What the claims speak of, as far as the peers do not define it."""


def questions(largest_ring: int) -> list[Question]:
    return [
        *(ring(n, *formula) for n in range(6, largest_ring + 1, 2) for formula in (AGAIN, ENTERS)),
        peterson(3, *PASSES),
        *(clients(*size, *THINKS) for size in ((3, 3), (4, 2), (4, 3))),
        *(clients(*size, *ANSWERED) for size in ((3, 3), (4, 3))),
    ]


@dataclass(frozen=True, slots=True)
class Answered:
    """Of the product, if the tool tells it."""

    holds: bool
    seconds: float
    states: int
    edges: int


def by_us(question: Question, folder: Path, *options: str) -> Answered:
    words = [*question.words, "--ltl", question.formula, *options]
    _, report = check(words, {"ASSET_CACHE_DIR": str(folder)})
    product = report["product"] or report
    return Answered(report["verdict"] == "holds", report["seconds"]["explore"], product["states"], product["edges"])


def spin(question: Question, folder: Path) -> Callable[[], Answered]:
    """A verifier of the question; calling the result runs it once."""
    text = (PEERS / f"{question.peer}.pml").read_text(encoding="utf-8")
    (folder / "model.pml").write_text(text + SYMBOLS[question.peer], encoding="utf-8")
    run(["spin", "-o3", *question.definitions, "-a", "-f", f"!({question.claim})", "model.pml"], folder)
    run(["gcc", "-O3", "-w", "-DNOREDUCE", "-DMEMLIM=20000", "-o", "pan", "pan.c"], folder)
    return lambda: read(run(["./pan", "-a", "-w25", "-m20000000"], folder).stdout)


def read(out: str) -> Answered:
    if "max search depth too small" in out:
        raise ToolFailed(f"SPIN did not complete its search:\n{out}")
    figures = [re.search(pattern, out) for pattern in (r"errors: (\d+)", r"elapsed time ([\d.]+)", STORED, EDGES)]
    errors, seconds, states, edges = (float(each.group(1)) if each else 0.0 for each in figures)
    return Answered(errors == 0, seconds, int(states), int(edges))


STORED = r"([\d.e+]+) states, stored"
EDGES = r"([\d.e+]+) transitions"


def beside_spin(question: Question, repeat: int) -> list[str]:
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        runs: dict[str, Callable[[], Answered]] = {"fly": lambda: by_us(question, Path(ours), "--on-the-fly")}
        if spin_is_installed():
            runs["spin"] = spin(question, Path(theirs))
        by_us(question, Path(ours), "--on-the-fly")  # the machine code is in the cache
        found = {name: min(each, key=lambda a: a.seconds) for name, each in interleaved(runs, repeat, False).items()}
    fly = found["fly"]
    row = [question.title, question.formula, "holds" if fly.holds else "violated", *shown(fly)]
    if "spin" not in found:
        return [*row, "-", "-", "-"]
    if found["spin"].holds != fly.holds:
        raise ToolFailed(f"{question.title}, {question.formula}: SPIN says {found['spin']}, we {fly}")
    ratio = found["spin"].seconds / fly.seconds if found["spin"].seconds else None
    return [*row, *shown(found["spin"]), "-" if ratio is None else f"{ratio:.1f}"]


def shown(answered: Answered) -> list[str]:
    return [f"{answered.states:,} / {answered.edges:,}", f"{answered.seconds:.3f}"]


KEPT = (
    clients(3, 3, *THINKS),
    clients(4, 3, *THINKS),
    clients(5, 2, *THINKS),
    peterson(3, *PASSES),
    ring(7, *AGAIN),
)


def on_kept_graph(question: Question, repeat: int) -> list[str]:
    """How long it takes to explore, to explore and keep the graph, and to decide a formula that holds on that."""
    words = [str(MODELS / question.model), *(w for p in question.parameters for w in ("-p", p))]

    def seconds(*options: str) -> Callable[[], float]:
        return lambda: float(check([*words, *options], environment)[1]["seconds"]["explore"])

    with tempfile.TemporaryDirectory() as folder:
        environment = {"ASSET_CACHE_DIR": folder}
        runs = {
            "explore": seconds("--only", "safety"),
            "keep": seconds("--only", "recurrence,temporal", "--ctl", "AG true"),
            "formula": seconds("--only", "temporal", "--ltl", question.formula),
        }
        for each in runs.values():
            each()
        found = {name: min(each) for name, each in interleaved(runs, repeat, False).items()}
    ratios = [f"{found['formula'] / found[name]:.1f}" for name in ("keep", "explore")]
    return [question.title, *(f"{found[name]:.3f}" for name in runs), *ratios]


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The parts of the report, each as soon as it is measured."""
    yield PREFACE.format(machine=machine())
    yield f"## On the fly, beside SPIN\n\n{fly_table(arguments)}\n"
    yield f"## A formula that holds, on the kept graph\n\n{kept_table(arguments)}\n"


def fly_table(arguments: argparse.Namespace) -> str:
    header = ["model", "formula", "answer", "product: states / edges", "s", "SPIN: states / edges", "s", "SPIN / ours"]
    return markdown_table(header, [beside_spin(each, arguments.repeat) for each in questions(arguments.ring)])


def kept_table(arguments: argparse.Namespace) -> str:
    header: Sequence[str] = ["model", "explore, s", "keep the graph, s", "formula, s", "formula / keep", "/ explore"]
    return markdown_table(header, [on_kept_graph(each, arguments.repeat) for each in KEPT])


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Formulas on the fly beside SPIN, and on kept graphs.")
    parser.add_argument("--ring", type=positive, default=8, metavar="N", help="the largest ring (default: 8)")
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="rounds (default: 3)")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
