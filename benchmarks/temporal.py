"""Formulas of linear time logic: on the fly beside SPIN, and on a kept graph (`python benchmarks/temporal.py`).

Each formula is asked of one of our models and of the same model in Promela, by turns. SPIN's search is depth-first and
nested: without partial order reduction and with it, in tables of several sizes, of which the best one counts. Both
must come to the same answer; their automata, and so the products, may differ. Seconds are those of the processor for
the search, the least of some rounds: both without what a search takes that ends at once. The machine must be idle.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from measure import ToolFailed, interleaved, machine, markdown_table, positive, run, tell
from reductions import spin_is_installed
from workloads import MODELS, PEERS

from asset import codegen, load
from asset.checks import CheckOptions
from asset.checks.plan import plan, task
from asset.engine import native
from asset.engine.outcome import Limits, Outcome, Task
from asset.ir.reductions import NO_REDUCTIONS

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

    def asked(self, option: str, formula: str) -> tuple[codegen.CompiledModel, Task]:
        """The model as machine code, and the task to decide the formula on the kept graph."""
        given = dict(parameter.split("=") for parameter in self.parameters)
        subject = load(MODELS / self.model, **given).asking([(f"--{option}", formula)])
        program = subject.executable().program
        options = CheckOptions(only=frozenset({"temporal"}))
        options = replace(options, ltl=formula) if option == "ltl" else replace(options, ctl=formula)
        return codegen.compile(program), task(program, plan(program, options).requirements, NO_REDUCTIONS)


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


def questions(large: bool) -> list[Question]:
    if large:
        return [*(ring(8, *formula) for formula in (AGAIN, ENTERS)), clients(4, 4, *THINKS), clients(5, 3, *THINKS)]
    return [
        *(ring(6, *formula) for formula in (AGAIN, ENTERS)),
        peterson(3, *PASSES),
        *(clients(*size, *THINKS) for size in ((3, 3), (4, 2), (4, 3), (5, 2))),
        *(clients(*size, *ANSWERED) for size in ((3, 3), (4, 3), (5, 3))),
    ]


@dataclass(frozen=True, slots=True)
class Answered:
    """`states` and `edges` are those of the product; `start` is what a search takes that ends at once."""

    holds: bool
    seconds: float
    start: float
    states: int
    edges: int


def least(answers: Sequence[Answered]) -> Answered:
    """The least seconds of several runs, without the least that a start took."""
    seconds, start = (min(getattr(each, name) for each in answers) for name in ("seconds", "start"))
    return replace(answers[0], seconds=max(seconds - start, 0.0), start=0.0)


def explored(model: codegen.CompiledModel, asked: Task, max_states: int | None = None) -> tuple[Outcome, float]:
    """What the engine finds, and the seconds of the processor that it takes."""
    start = time.process_time()
    outcome = native.explore(model, asked, Limits(max_states=max_states))
    return outcome, time.process_time() - start


def by_us(question: Question) -> Callable[[], Answered]:
    model, kept = question.asked("ltl", question.formula)

    on_the_fly = replace(kept, on_the_fly=True)

    def searched() -> Answered:
        _, start = explored(model, on_the_fly, max_states=1)
        outcome, seconds = explored(model, on_the_fly)
        assert outcome.product is not None
        return Answered(outcome.finding is None, seconds, start, *outcome.product)

    return searched


def spin(question: Question, folder: Path, *modes: str) -> Callable[[str], Answered]:
    """A verifier of the question; calling the result, with the size of its table, runs it once.

    Its stack has room for the depth that it needs and no more, as it takes time to make. What it takes to start and end
    at once with a table of that size is no time of the search.
    """
    text = (PEERS / f"{question.peer}.pml").read_text(encoding="utf-8")
    (folder / "model.pml").write_text(text + SYMBOLS[question.peer], encoding="utf-8")
    run(["spin", "-o3", *question.definitions, "-a", "-f", f"!({question.claim})", "model.pml"], folder)
    run(["gcc", "-O3", "-w", *modes, "-DMEMLIM=20000", "-o", "pan", "pan.c"], folder)
    depth = figure(DEPTH, run(["./pan", "-a", TABLES[-1], "-m20000000"], folder).stdout)

    def verified(table: str) -> Answered:
        start = run(["./pan", "-a", table, "-m10"], folder)
        done = run(["./pan", "-a", table, f"-m{depth + 10}"], folder)
        if TOO_DEEP in done.stdout:
            raise ToolFailed(f"SPIN did not complete its search:\n{done.stdout}")
        errors, states, edges = (figure(pattern, done.stdout) for pattern in (ERRORS, STORED, EDGES))
        return Answered(errors == 0, done.cpu, start.cpu, states, edges)

    return verified


def figure(pattern: str, out: str) -> int:
    found = re.search(pattern, out)
    if found is None:
        raise ToolFailed(f"SPIN does not tell {pattern}:\n{out}")
    return int(float(found.group(1)))


ERRORS = r"errors: (\d+)"
DEPTH = r"depth reached (\d+)"
STORED = r"([\d.e+]+) states, stored"
EDGES = r"([\d.e+]+) transitions"
TOO_DEEP = "max search depth too small"

TOO_SHORT = 0.0005
"""Seconds that are lost in the noise of the start."""

TABLES = ("-w16", "-w18", "-w20", "-w25")
"""Of SPIN, with as many places as two to this."""


def beside_spin(question: Question, repeat: int, large: bool) -> list[str]:
    with tempfile.TemporaryDirectory() as full, tempfile.TemporaryDirectory() as reduced:
        runs: dict[str, Callable[[], Answered]] = {"fly": by_us(question)}
        if spin_is_installed():
            plain, with_reduction = spin(question, Path(full), "-DNOREDUCE"), spin(question, Path(reduced))
            tables = TABLES[2:] if large else TABLES
            runs |= {table: partial(plain, table) for table in tables}
            runs |= {f"reduced {table}": partial(with_reduction, table) for table in tables}
        found = {name: least(each) for name, each in interleaved(runs, repeat, False).items()}
    fly = found["fly"]
    row = [question.title, question.formula, "holds" if fly.holds else "violated", *shown(fly)]
    if len(found) == 1:
        return [*row, "-", "-", "-", "-"]
    best, reduced_best = (
        min((each for name, each in found.items() if name.startswith(mode)), key=lambda a: a.seconds)
        for mode in ("-w", "reduced")
    )
    if best.holds != fly.holds:
        raise ToolFailed(f"{question.title}, {question.formula}: SPIN says {best}, we {fly}")
    ratios = [f"{each.seconds / fly.seconds:.1f}" if fly.seconds > TOO_SHORT else "-" for each in (best, reduced_best)]
    return [*row, *shown(best), ratios[0], f"{reduced_best.states:,}, {ratios[1]}"]


def shown(answered: Answered) -> list[str]:
    return [f"{answered.states:,} / {answered.edges:,}", f"{answered.seconds:.3f}"]


KEPT = (
    clients(3, 3, *THINKS),
    clients(4, 3, *THINKS),
    clients(5, 2, *THINKS),
    peterson(3, *PASSES),
    ring(7, *AGAIN),
    ring(7, *ENTERS),
)


def on_kept_graph(question: Question, repeat: int) -> list[str]:
    """How long it takes to explore, to explore and keep the graph, and to do that and decide a formula that holds; what
    deciding takes, and what all of it takes, beside exploring."""
    model, formula = question.asked("ltl", question.formula)
    other, kept = question.asked("ctl", "AG true")
    runs = {
        "explore": lambda: explored(model, replace(formula, requirements=()))[1],
        "keep": lambda: explored(other, kept)[1],
        "formula": lambda: explored(model, formula)[1],
    }
    found = {name: min(each) for name, each in interleaved(runs, repeat, False).items()}
    ratios = [f"{seconds / found['explore']:.1f}" for seconds in (found["formula"] - found["keep"], found["formula"])]
    return [question.title, question.formula, *(f"{found[name]:.3f}" for name in runs), *ratios]


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The parts of the report, each as soon as it is measured."""
    yield PREFACE.format(machine=machine())
    yield f"## On the fly, beside SPIN\n\n{fly_table(arguments)}\n"
    if not arguments.large:
        yield f"## A formula that holds, on the kept graph\n\n{kept_table(arguments)}\n"


def fly_table(arguments: argparse.Namespace) -> str:
    ours, theirs = ["product: states / edges", "s"], ["SPIN: states / edges", "s", "SPIN / ours", "with its reduction"]
    header = ["model", "formula", "answer", *ours, *theirs]
    return markdown_table(
        header, [beside_spin(each, arguments.repeat, arguments.large) for each in questions(arguments.large)]
    )


def kept_table(arguments: argparse.Namespace) -> str:
    seconds = ["explore, s", "and keep the graph, s", "and decide, s"]
    header: Sequence[str] = ["model", "formula", *seconds, "deciding / explore", "all / explore"]
    return markdown_table(header, [on_kept_graph(each, arguments.repeat) for each in KEPT])


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Formulas on the fly beside SPIN, and on kept graphs.")
    parser.add_argument("--large", action="store_true", help="on the fly, sizes for which SPIN takes ten seconds")
    parser.add_argument("--repeat", type=positive, default=9, metavar="N", help="rounds (default: 9)")
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    return tell(report(arguments), arguments.out)


if __name__ == "__main__":
    sys.exit(main())
