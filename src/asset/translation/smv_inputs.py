"""Indices of commands as inputs: what would be thousands of commands is one for each family, and a choice of indices.

The inputs are variables of the program that no command changes, so that summaries speak of them as of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from asset.analysis.symmetry.terms import Beyond, Term, Terms, parts_of
from asset.analysis.values.linear import Linear
from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, Variable
from asset.ir.types import BoolType, EnumType, IntType, ScalarType


@dataclass(frozen=True, slots=True)
class WithInputs:
    """A program whose commands have no indices; `inputs` are the cells that each family takes its own from."""

    program: Program
    first: int
    """The first cell that is an input; those before it are the state."""
    inputs: tuple[tuple[int, ...], ...]

    @property
    def any(self) -> bool:
        return any(self.inputs)


def without_inputs(program: Program) -> WithInputs:
    """The program as it is, with a command for each combination of indices."""
    return WithInputs(program, len(program.cell_variables), ((),) * program.nr_commands)


def with_inputs(program: Program) -> WithInputs:
    first = sum(variable.cells for variable in program.variables)
    variables, functions = list(program.variables), list(program.functions)
    families, inputs = list[Family](), list[tuple[int, ...]]()
    at = first
    for family in program.families:
        taken: list[int | None] = []
        for k, values in enumerate(family.ranges):
            taken.append(len(variables) if len(values) > 1 else None)
            if len(values) > 1:
                kind = _type(family, k)
                variables.append(Variable(_name(program, family, k), kind, (), (kind.lo,), family.span))
        cells = tuple(range(at, at + sum(each is not None for each in taken)))
        at += len(cells)
        inputs.append(cells)
        functions.append(_reading(program.functions[family.function], family, taken))
        families.append(replace(family, function=len(functions) - 1, ranges=(), first=len(families), labels=()))
    kinds = [variable.type for variable in variables[len(program.variables) :]]
    ends = (tuple(kind.lo for kind in kinds), tuple(kind.hi for kind in kinds))  # so that analyses see their ranges
    further = tuple((*state, *chosen) for state in program.initial_states for chosen in ends)[1:]
    found = replace(
        program,
        variables=tuple(variables),
        functions=tuple(functions),
        families=tuple(families),
        further_initial=further,
    )
    return WithInputs(found, first, tuple(inputs))


def _reading(function: Function, family: Family, taken: Sequence[int | None]) -> Function:
    """The function without parameters: it reads the inputs instead."""
    given = []
    for slot, (variable, values) in enumerate(zip(taken, family.ranges, strict=True)):
        value = n.Const(function.span, values[0]) if variable is None else n.Read(function.span, variable, ())
        given.append(n.SetLocal(function.span, slot, value))
    return replace(function, parameters=0, body=(*given, *function.body))


def _name(program: Program, family: Family, k: int) -> str:
    label = family.labels[k].name if family.labels else f"{k}"
    return label if len(program.families) == 1 and family.labels else f"{family.name}.{label}"


def _type(family: Family, k: int) -> ScalarType:
    values = family.ranges[k]
    shown = [_shown(family, k, value) or "none" for value in values]
    if list(values) == [0, 1] and shown == ["false", "true"]:
        return BoolType()
    if shown == [str(value) for value in values] and list(values) == list(range(values[0], values[0] + len(values))):
        return IntType(values[0], values[-1])
    return EnumType(family.name, tuple(zip(shown, values, strict=True)))


def _shown(family: Family, k: int, value: int) -> str:
    return str(dict(family.labels[k].values).get(value, value)) if family.labels else str(value)


def for_some(terms: Terms, condition: Term, inputs: Iterable[int]) -> Term:
    """Whether the condition holds for some values of the inputs."""
    for cell in inputs:
        parts = parts_of(terms.keys[condition]) if terms.kind(condition) == "and" else (condition,)
        about = [part for part in parts if terms.support(part) >> cell & 1]
        if about:
            together = terms.both(*about)
            chosen = terms.either(*(_Chosen(terms, cell, k).condition(together) for k in _places(terms, cell)))
            condition = terms.both(chosen, *(part for part in parts if part not in about))
    return condition


def _places(terms: Terms, cell: int) -> range:
    domain = terms.cells.domains[cell]
    if domain is None:
        raise Beyond
    return range(len(domain))


class _Chosen:
    """Terms as they are if a cell has the value at that place of its domain."""

    def __init__(self, terms: Terms, cell: int, place: int) -> None:
        self._terms, self._cell, self._place = terms, cell, place
        self._known: dict[Term, Term] = {}

    def condition(self, term: Term) -> Term:
        return self._once(term, self._condition)

    def number(self, term: Term) -> Term:
        return self._once(term, self._number)

    def _once(self, term: Term, made: Callable[[Term], Term]) -> Term:
        if not self._terms.support(term) >> self._cell & 1:
            return term
        if term not in self._known:
            self._known[term] = made(term)
        return self._known[term]

    def _condition(self, term: Term) -> Term:
        t = self._terms
        match t.keys[term]:
            case ("in", _, int(mask)):
                return t.true if mask >> self._place & 1 else t.false
            case ("and", tuple(parts)):
                return t.both(*map(self.condition, parts))
            case ("or", tuple(parts)):
                return t.either(*map(self.condition, parts))
            case ("positive", int(number)):
                return t.positive(self.number(number))
            case ("zero", (int(first), *_)):
                return t.zero(self.number(first))
            case ("nonzero", (int(first), *_)):
                return t.truth(self.number(first))
        raise AssertionError(t.keys[term])

    def _number(self, term: Term) -> Term:
        linear, atoms = self._terms.parts(term)
        kept = tuple(each for each in linear.terms if each[0] != self._cell)
        fixed = sum(weights[self._place] for cell, weights in linear.terms if cell == self._cell)
        found = self._terms.sum(Linear(linear.constant + fixed, kept), {})
        for atom, factor in atoms:
            found = self._terms.plus(found, self._terms.times(self._atom(atom), factor))
        return found

    def _atom(self, atom: Term) -> Term:
        """As a number."""
        t = self._terms
        match t.keys[atom]:
            case ("cases", tuple(pairs)):
                return t.cases((self.condition(condition), self.number(number)) for condition, number in pairs)
            case ("op", str(name), bool(ordered), tuple(operands)):
                bounds = t.interval(t.atom(atom))
                return t.bound(t.op(name, map(self.number, operands), ordered), bounds)
            case ("wide", _):
                return t.atom(atom)
        return t.atom(self.condition(atom))
