"""What of a program is ever reached: the program with marks, each of which stands for something worth knowing.

A mark is set when it is reached, so one that is not set after a complete search was reached in no state. Marked is that
a transition fires, that a branch of an `if` is entered, that a property of the form `not a or b` (a implies b) has
to rely on b, as a is true; the same of implications in formulas and, if asked for, that numbers have the ends of their
ranges, which is tested after each step (`asset.ir.coverage_tests`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum

from asset.deferred import dataclass
from asset.ir import nodes as n
from asset.ir.blocks import at_returns, inside
from asset.ir.coverage_tests import StateTest, implications, range_ends
from asset.ir.program import Function, Program, Style
from asset.ir.requirements import Stage
from asset.span import Span


class Covered(Enum):
    """What a mark stands for."""

    TRANSITION = "transitions"
    BRANCH = "branches"
    PROPERTY = "properties"
    RANGE = "range_ends"


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """`name` is the transition or the property; `holds` says which way the test of a branch goes."""

    kind: Covered
    name: str
    span: Span
    holds: bool = True


@dataclass(frozen=True, slots=True)
class MarkedProgram:
    """`points[k]` is what mark k stands for."""

    program: Program
    points: tuple[CoveragePoint, ...]
    tests: Mapping[int, StateTest]
    """Of marks that are set if something is true of the state after a step."""


def marked(program: Program, ranges: bool = False, without: Container[int] = ()) -> MarkedProgram:
    """The program with marks; commands, predicates and states are the same. Some marks may be left out."""
    marking = _Marking(program, ranges, without)
    functions = tuple(marking.function(number) for number in range(len(program.functions)))
    return MarkedProgram(replace(program, functions=functions), tuple(marking.points), marking.tests)


class _Marking:
    def __init__(self, program: Program, ranges: bool, without: Container[int]) -> None:
        self.program = program
        self.without = without
        self.points: list[CoveragePoint] = []
        self.tests: dict[int, StateTest] = {}
        self._note_tests(Covered.PROPERTY, implications(program))
        if ranges:
            self._note_tests(Covered.RANGE, range_ends(program))
        self.steps = {family.function for family in program.families if family.size}
        self.firing = {f.function: f for f in program.families if f.style is Style.GUARDED and f.size}
        of_states = [r for r in program.requirements if r.stage is not Stage.GRAPH]
        claims = [p for r in of_states for p in r.predicates if not p.messages]
        self.claims = {predicate.function: predicate for predicate in claims}
        self.run = _called(program, {*self.firing, *(f.function for f in program.families), *self.claims})

    def function(self, number: int) -> Function:
        code = self.program.functions[number]
        if number not in self.run:
            return code
        body = self._block(code.body)
        if number in self.firing:
            family = self.firing[number]
            fired = self._mark(CoveragePoint(Covered.TRANSITION, family.name, family.span), code.span)
            body = at_returns(
                (*body, n.Return(code.span)), lambda s: (*fired, s)
            )  # a guarded command that returns has fired
        if number in self.steps:
            asked = tuple(self._tests_after(number))
            body = at_returns((*body, n.Return(code.span)) if asked else body, lambda s: (*asked, s))
        if number in self.claims:
            body = tuple(_challenged(s, self._challenge(number)) for s in body)
        return replace(code, body=body)

    def _note_tests(self, kind: Covered, tests: Iterable[StateTest]) -> None:
        for test in tests:
            self.tests[len(self.points)] = test
            self.points.append(CoveragePoint(kind, test.name, test.span))

    def _tests_after(self, step: int) -> Iterator[n.Stmt]:
        """What is asked when the step returns: of what it may have changed."""
        reached = _called(self.program, {step})
        parts = [part for number in reached for part in self.program.functions[number].nodes]
        written = {part.variable for part in parts if isinstance(part, n.SetState)}
        for number, asked in self.tests.items():
            if number not in self.without and written & asked.reads:
                mark = n.Mark(asked.span, number)
                yield n.If(asked.span, (n.Case(asked.span, asked.test, (mark,)),))

    def _mark(self, point: CoveragePoint, span: Span) -> tuple[n.Stmt, ...]:
        """The mark as a statement, unless it is left out."""
        self.points.append(point)
        number = len(self.points) - 1
        return () if number in self.without else (n.Mark(span, number),)

    def _challenge(self, number: int) -> Callable[[], tuple[n.Stmt, ...]]:
        predicate = self.claims[number]
        return lambda: self._mark(CoveragePoint(Covered.PROPERTY, predicate.name, predicate.span), predicate.span)

    def _block(self, body: tuple[n.Stmt, ...]) -> tuple[n.Stmt, ...]:
        return tuple(self._statement(s) for s in body)

    def _statement(self, s: n.Stmt) -> n.Stmt:
        match s:
            case n.If() if _is_written(s.span):
                return self._if(s)
            case _:
                return inside(s, self._block)

    def _if(self, s: n.If) -> n.Stmt:
        cases = []
        for case in s.cases:
            cases.append(replace(case, body=self._branch(case, True, case.body)))
        return replace(s, cases=tuple(cases), orelse=self._branch(s.cases[-1], False, s.orelse))

    def _branch(self, case: n.Case, holds: bool, body: tuple[n.Stmt, ...]) -> tuple[n.Stmt, ...]:
        """A branch that does nothing but fail is there never to be reached."""
        inside = self._block(body)
        if body and isinstance(body[0], n.Fail):
            return inside
        name = "always true" if not holds else "never true"
        return (*self._mark(CoveragePoint(Covered.BRANCH, name, case.span, holds), case.span), *inside)


def _is_written(span: Span) -> bool:
    """Whether an `if` of the model is what stands there, not one that something else is made of."""
    return span.source_line[span.column - 1 :].startswith(("if ", "if(", "elif "))


def _challenged(s: n.Stmt, mark: Callable[[], tuple[n.Stmt, ...]]) -> n.Stmt:
    """`return not a or b`, written so that it is marked if a is true."""
    match s:
        case n.Return(value=n.Or(operands=(n.Unary(op=n.UnaryOp.NOT, operand=left), *rest))):
            claim = rest[0] if len(rest) == 1 else n.Or(s.span, tuple(rest))
            case = n.Case(s.span, left, (*mark(), n.Return(s.span, claim)))
            return n.If(s.span, (case,), (n.Return(s.span, n.Const(s.span, 1)),))
    return s


def marking_if_disabled(program: Program) -> set[int]:
    """The functions of families whose commands may set a mark in a state that disables them: a guard comes later."""
    marking = _reaching(program, n.Mark)
    guarding = _reaching(program, n.When)
    found = set()
    for family in program.families:
        body = program.functions[family.function].body
        marks = [k for k, s in enumerate(body) if _has(s, n.Mark, marking)]
        guards = [k for k, s in enumerate(body) if _has(s, n.When, guarding)]
        if marks and (family.style is not Style.GUARDED or (guards and guards[-1] >= marks[0])):
            found.add(family.function)
    return found


def _reaching(program: Program, kind: type[n.Node]) -> set[int]:
    """The functions that have such a node, or call one that has."""
    functions = range(len(program.functions))
    return {k for k in functions if any(_has(program.functions[f], kind) for f in _called(program, {k}))}


def _has(part: n.Node | Function, kind: type[n.Node], functions: Container[int] = ()) -> bool:
    """Whether it has such a node, or calls one of the functions."""
    parts = part.body if isinstance(part, Function) else (part,)
    return any(isinstance(x, kind) or (isinstance(x, n.Call) and x.function in functions) for x in n.walk(*parts))


def _called(program: Program, roots: set[int]) -> set[int]:
    """The functions that are run for these."""
    found, pending = set(roots), list(roots)
    while pending:
        for part in program.functions[pending.pop()].nodes:
            if isinstance(part, n.Call) and part.function not in found:
                found.add(part.function)
                pending.append(part.function)
    return found
