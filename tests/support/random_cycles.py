"""Random programs that mostly run for ever, made to provoke ignoring: independent loops, loops that return, chains, and
requirements about one part of the state.

Each of a few members has a cell of its own, all with the same commands, so that there are symmetries; other cells
are alone. A command moves one cell from a value to another; it may ask for a value of another cell, or set one. Some
have no guard, as one that sends a message has none: if it was sent already, they change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from programs import HERE, assign, binary, const, family, function, local, program, read, variable, when

from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program
from asset.ir.requirements import (
    Invariant,
    MayProgress,
    MustProgress,
    Predicate,
    Recurrence,
    Requirement,
    Terminal,
    Termination,
)
from asset.ir.types import IntType

MEMBER, ALONE = 0, 1  # the variables


@dataclass(frozen=True)
class _Cells:
    """How many members and cells alone there are, and how many values each has."""

    members: int
    alone: int
    values: int

    def any(self, random: Random) -> n.Read:
        if self.alone and random.random() < 0.7:
            return read(ALONE, const(random.randrange(self.alone)))
        return read(MEMBER, const(random.randrange(self.members)))


def random_cycles(seed: int, mirrors: bool = False) -> Program:
    """With `mirrors`, a command for each cell exchanges its first value with the last, and so on: it commutes with
    setting the cell to the value in the middle, which leaves it nothing to change."""
    random = Random(seed)
    cells = _Cells(random.choice((1, 2, 2, 3)), random.choice((1, 2, 2)), random.choice((2, 2, 3, 3)))
    functions: list[Function] = []
    families: list[Family] = []

    def add(cell: n.Read, members: int) -> None:
        for before, after in _moves(random, cells.values):
            body = _step(random, cells, cell, before, after)
            name = f"step_{len(functions)}"
            first = sum(each.size for each in families)
            slots = ("i",) if members else ()
            ranges = [range(members)] if members else []
            families.append(family(name, len(functions), *ranges, first=first))
            functions.append(function(name, *body, slots=slots, parameters=len(slots)))

    add(read(MEMBER, local(0)), cells.members)
    for number in range(cells.alone):
        add(read(ALONE, const(number)), 0)
    for number in range(cells.alone if mirrors else 0):
        mirrored = binary("-", const(cells.values - 1), read(ALONE, const(number)))
        name, first = f"mirror_{number}", sum(each.size for each in families)
        families.append(family(name, len(functions), first=first))
        functions.append(function(name, assign(ALONE, mirrored, const(number))))
    requirements: list[Requirement] = [Termination()]
    kinds: Sequence[Callable[[Predicate], Requirement]] = (
        Invariant,
        Terminal,
        MayProgress,
        lambda predicate: MayProgress(predicate, terminal_is_progress=False),
        MustProgress,
    )
    for kind in kinds:
        name = f"{kind.__name__}_{len(functions)}"
        test = _test(random, cells)
        holds = test if kind not in kinds[:2] else n.Unary(HERE, n.UnaryOp.NOT, test)
        requirements.append(kind(Predicate(name, len(functions), (), HERE)))
        functions.append(function(name, n.Return(HERE, holds)))
    commands = range(sum(each.size for each in families))
    again, then = (frozenset(random.sample(commands, random.randrange(1, 3))) for _ in range(2))
    requirements.append(Recurrence("recurrence", again, then - again, HERE))
    kind_of_cell = IntType(0, cells.values - 1)
    variables = [
        variable("member", kind_of_cell, (cells.members,), (0,) * cells.members),
        variable("alone", kind_of_cell, (cells.alone,), (0,) * cells.alone),
    ]
    return program(variables, functions, families, requirements)


def _moves(random: Random, values: int) -> list[tuple[int, int]]:
    """From which values to which a cell goes: round and round, along a chain, or anything; some change nothing."""
    shape = random.choice(("loop", "loop", "chain", "returning", "any"))
    if shape == "loop":
        moves = [(value, (value + 1) % values) for value in range(values)]
    elif shape == "chain":
        moves = [(value, value + 1) for value in range(values - 1)]
    elif shape == "returning":
        moves = [(value, value + 1) for value in range(values - 1)] + [(random.randrange(1, values), 0)]
    else:
        moves = [(random.randrange(values), random.randrange(values)) for _ in range(values)]
    if random.random() < 0.2:
        moves.append((random.randrange(values),) * 2)
    return moves


def _step(random: Random, cells: _Cells, cell: n.Read, before: int, after: int) -> list[n.Stmt]:
    body: list[n.Stmt] = [when(binary("==", cell, const(before)))] if random.random() < 0.9 else []
    if random.random() < 0.25:
        op = random.choice(("==", "!="))
        body.append(when(binary(op, cells.any(random), const(random.randrange(cells.values)))))
    body.append(assign(cell.variable, const(after), *cell.indices))
    if random.random() < 0.12:
        other = cells.any(random)
        body.append(assign(other.variable, const(random.randrange(cells.values)), *other.indices))
    return body


def _test(random: Random, cells: _Cells) -> n.Expr:
    """That a cell has a value, or several have; or that all members have one, which symmetries keep."""
    value = const(random.randrange(cells.values))
    if random.random() < 0.5:
        tests = [binary("==", read(MEMBER, const(member)), value) for member in range(cells.members)]
    else:
        tests = [binary("==", cells.any(random), const(random.randrange(cells.values))) for _ in range(2)]
    tests = tests[: random.randrange(1, 3)] if random.random() < 0.3 else tests
    return tests[0] if len(tests) == 1 else n.And(HERE, tuple(tests))
