"""What is worth knowing of the states that are reached: tests that are asked after each step (`asset.ir.coverage`).

The ends of the ranges that a modeller declares: an end that is never reached says that the range is too wide, or that
something does not happen. The left sides of implications in formulas: one that is never true makes its formula say
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from asset.ir import nodes as n
from asset.ir.program import Program, Variable
from asset.ir.requirements import Predicate, formula_of
from asset.ir.shapes import ArrayShape, RecordShape, ScalarShape, Shape, TupleShape, part_of
from asset.ir.types import IntType
from asset.logic.formulas import And, Atom, Constant, Formula, Implies, Not, Or
from asset.span import Span


@dataclass(frozen=True, slots=True)
class StateTest:
    """`name` is what is told if `test` is true in no state; it reads the variables of these numbers."""

    name: str
    span: Span
    test: n.Expr
    reads: frozenset[int]


def range_ends(program: Program) -> Iterator[StateTest]:
    """For each number of the state, other than in containers, whether it has its smallest and its largest value."""
    for declared in program.declared:
        for number in _plain(declared.shape, declared.first):
            variable = program.variables[number]
            if isinstance(variable.type, IntType) and variable.owner is None and variable.type.lo < variable.type.hi:
                for end in (variable.type.lo, variable.type.hi):
                    test = _holds(variable, number, end)
                    yield StateTest(f"{variable.name} = {end}", variable.span, test, frozenset({number}))


def _plain(shape: Shape, leaf: int) -> Iterator[int]:
    """The leaves of arrays, records and tuples of scalars."""
    match shape:
        case ScalarShape():
            yield leaf
        case ArrayShape(item=item):
            yield from _plain(item, leaf)
        case RecordShape(items=items) | TupleShape(items=items):
            for k in range(len(items)):
                part, ahead = part_of(shape, k)
                yield from _plain(part, leaf + ahead)


def _holds(variable: Variable, number: int, value: int) -> n.Expr:
    """Whether one of the variable's cells has the value."""
    span = variable.span
    cells = [n.Read(span, number, at) for at in _indices(variable, span)]
    tests = tuple(n.Binary(span, n.BinaryOp.EQ, cell, n.Const(span, value)) for cell in cells)
    return tests[0] if len(tests) == 1 else n.Or(span, tests)


def _indices(variable: Variable, span: Span) -> Iterator[tuple[n.Expr, ...]]:
    for at in range(prod(variable.dims)):
        found = []
        for size in reversed(variable.dims):
            at, index = divmod(at, size)
            found.append(n.Const(span, index))
        yield tuple(reversed(found))


def implications(program: Program) -> Iterator[StateTest]:
    """For each implication in a formula whose left side is about single states, whether that is true."""
    for requirement in program.requirements:
        formula = formula_of(requirement)
        if formula is not None and requirement.span is not None:
            for left in _left_sides(formula):
                test = _expression(left, requirement.span)
                if test is not None:
                    yield StateTest(requirement.name, requirement.span, test, _read(program, test))


def _left_sides(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, Implies):
        yield formula.left
    for part in formula.operands:
        yield from _left_sides(part)


def _expression(formula: Formula, span: Span) -> n.Expr | None:
    """The formula as a question about a state; None if it is about more than that."""
    match formula:
        case Constant(value=value):
            return n.Const(span, int(value))
        case Atom(key=Predicate(function=function, messages=())):
            return n.Call(span, function, ())
        case Not(operand=operand):
            inner = _expression(operand, span)
            return None if inner is None else n.Unary(span, n.UnaryOp.NOT, inner)
        case And() | Or():
            parts = [_expression(part, span) for part in formula.operands]
            known = tuple(part for part in parts if part is not None)
            if len(known) < len(parts) or not known:
                return None
            return (n.And if isinstance(formula, And) else n.Or)(span, known)
        case _:
            return None


def _read(program: Program, test: n.Expr) -> frozenset[int]:
    """The variables that the expression reads, by whatever it calls."""
    found: set[int] = set()
    seen: set[int] = set()
    pending: list[n.Node] = [test]
    while pending:
        for part in n.walk(pending.pop()):
            if isinstance(part, n.Read):
                found.add(part.variable)
            elif isinstance(part, n.Call) and part.function not in seen:
                seen.add(part.function)
                pending += program.functions[part.function].body
    return frozenset(found)
