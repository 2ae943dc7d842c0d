"""Programs written directly in the IR, for tests of what lies below the front ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from asset.checks.requirements import in_order
from asset.engine.outcome import Task
from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, Style, Variable
from asset.ir.reductions import NO_REDUCTIONS, Reductions
from asset.ir.requirements import Invariant, OfPredicate, Predicate, Recurrence, Requirement
from asset.ir.types import IntType, ScalarType
from asset.span import Span

HERE = Span("test.py", 1)


def const(value: int) -> n.Const:
    return n.Const(HERE, value)


def local(slot: int) -> n.Local:
    return n.Local(HERE, slot)


def read(variable: int, *indices: n.Expr) -> n.Read:
    return n.Read(HERE, variable, indices)


def binary(op: str, left: n.Expr, right: n.Expr) -> n.Binary:
    return n.Binary(HERE, n.BinaryOp(op), left, right)


def assign(variable: int, value: n.Expr, *indices: n.Expr) -> n.SetState:
    return n.SetState(HERE, variable, indices, value)


def set_local(slot: int, value: n.Expr) -> n.SetLocal:
    return n.SetLocal(HERE, slot, value)


def when(test: n.Expr) -> n.When:
    return n.When(HERE, test)


def variable(
    name: str, kind: ScalarType | None = None, dims: tuple[int, ...] = (), initial: Sequence[int] = (0,)
) -> Variable:
    return Variable(name, kind or IntType(0, 7), dims, tuple(initial), HERE)


def function(name: str, *body: n.Stmt, slots: Sequence[str] = (), parameters: int = 0) -> Function:
    return Function(name, parameters, tuple(slots), body, HERE)


def family(name: str, function: int, *ranges: Sequence[int], first: int = 0, style: Style = Style.GUARDED) -> Family:
    return Family(name, function, tuple(tuple(r) for r in ranges), style, first, HERE)


def invariant(name: str, function: int, *messages: str) -> Invariant:
    return Invariant(Predicate(name, function, messages, HERE))


def program(
    variables: Sequence[Variable],
    functions: Sequence[Function],
    families: Sequence[Family] = (),
    requirements: Sequence[Requirement] = (),
) -> Program:
    return Program("Test", (), tuple(variables), tuple(functions), tuple(families), tuple(requirements))


def everything(program: Program, *more: Requirement, reductions: Reductions = NO_REDUCTIONS) -> Task:
    """The task of deciding all that the program asks for, and more."""
    requirements = in_order((*program.requirements, *more))
    return Task(program.initial_states, requirements, reductions, idle_steps=program.idle_steps)


def terminal_is_no_progress(program: Program, *kinds: type[Requirement]) -> Program:
    """The program, but terminal states are not as good as those that requirements of these kinds accept."""
    changed = (replace(r, terminal_is_progress=False) if isinstance(r, kinds) else r for r in program.requirements)
    return replace(program, requirements=tuple(changed))


def rule(name: str, *body: n.Stmt, slots: Sequence[str] = (), parameters: int = 0) -> Function:
    return function(name, *body, slots=slots, parameters=parameters)


def oblige(*commands: int) -> n.Oblige:
    return n.Oblige(HERE, tuple(map(const, commands)))


def graph(
    commands: Sequence[Sequence[int]],
    accepted: Mapping[type[OfPredicate], Sequence[Sequence[bool]]] | None = None,
    recurrences: Sequence[tuple[Iterable[int], Iterable[int]]] = (),
    rules: Sequence[Sequence[int]] | None = None,
) -> Program:
    """A program whose states are 0, 1, …: `commands[c][s]` is where command c leads from state s, -1 where disabled.

    `accepted` has, for each requirement of a kind, whether its predicate holds in each state; `rules` the obligations
    of each command.
    """
    size = len(commands[0])
    functions = [
        function(
            f"c{number}",
            when(binary(">=", table(targets), const(0))),
            assign(0, table(targets)),
        )
        for number, targets in enumerate(commands)
    ]
    requirements: list[Requirement] = []
    for kind, columns in (accepted or {}).items():
        for number, column in enumerate(columns):
            name = f"{kind.__name__}_{number}"
            requirements.append(kind(Predicate(name, len(functions), (), HERE)))
            functions.append(function(name, n.Return(HERE, table(list(map(int, column))))))
    requirements += (
        Recurrence(f"recurrence_{number}", frozenset(again), frozenset(then), HERE)
        for number, (again, then) in enumerate(recurrences)
    )
    families = []
    for number in range(len(commands)):
        at = None if rules is None else len(functions)
        if rules is not None:
            functions.append(rule(f"rule_{number}", oblige(*rules[number])))
        families.append(replace(family(f"c{number}", number, first=number), rule=at))
    return program([variable("s", IntType(0, max(1, size - 1)))], functions, families, requirements)


def table(values: Sequence[int]) -> n.Table:
    """An element of the constants, by the number of the state."""
    return n.Table(HERE, "table", (len(values),), tuple(values), (read(0),))


def one_command(*body: n.Stmt, slots: Sequence[str] = (), variables: Sequence[Variable] | None = None) -> Program:
    """A program whose single command runs the body; by default its state is `x` in 0..7."""
    return program(variables or [variable("x")], [function("step", *body, slots=slots)], [family("step", 0)])


def expression(e: n.Expr, slots: Sequence[str] = ()) -> Program:
    """A program whose single command assigns the expression to `x`, which takes every 64-bit value but the least."""
    wide = variable("x", IntType(-(2**63) + 1, 2**63 - 1))
    return one_command(assign(0, e), slots=slots, variables=[wide])


def independent(*rules: tuple[int, ...]) -> Program:
    """Counters x and y to 2, each with a command of its own."""
    steps = [
        function(name, when(binary("<", read(number), const(2))), assign(number, binary("+", read(number), const(1))))
        for number, name in enumerate("xy")
    ]
    written = [function(f"rule_{number}", oblige(*each)) for number, each in enumerate(rules)]
    families = [
        replace(family("x", 0), rule=2 if rules else None),
        replace(family("y", 1, first=1), rule=3 if rules else None),
    ]
    return program([variable("x"), variable("y")], [*steps, *written], families)


def sorting(*body: n.Stmt) -> Program:
    """The counters x and y, with `body` as the representative."""
    p = independent()
    return replace(p, functions=(*p.functions, function("represent", *body, slots=("t",))), representative=2)


SWAP = (
    n.SetLocal(HERE, 0, binary("max", read(0), read(1))),
    assign(0, binary("min", read(0), read(1))),
    assign(1, n.Local(HERE, 0)),
)
"""The representative of the two counters: the smaller one first."""


def counters(cells: int) -> Program:
    """So many counters to 2, each with a command of its own."""
    at = local(0)
    step = function(
        "step",
        when(binary("<", read(0, at), const(2))),
        assign(0, binary("+", read(0, at), const(1)), at),
        slots=("i",),
        parameters=1,
    )
    x = variable("x", IntType(0, 2), (cells,), (0,) * cells)
    return program([x], [step], [family("step", 0, range(cells))])
