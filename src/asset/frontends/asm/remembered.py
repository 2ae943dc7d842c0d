"""What the environment changes and the state remembers: monitored functions that properties speak of, and shared ones.

They have any value initially, unless the initial state says which. Each step chooses what they are in the next state;
rules may overwrite that of shared ones. A monitored function that no property asks for is an input of the step and not
stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.asm.code import Writer
from asset.frontends.asm.firing import selected
from asset.frontends.asm.initial import InitialValues
from asset.frontends.asm.inputs import Inputs, index_over
from asset.frontends.asm.kinds import Static, shown, values_of
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import FunctionInfo
from asset.frontends.asm.storage import Stored
from asset.frontends.asm.values import of_static
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State, Variable
from asset.ir.requirements import Predicate

MOST_INITIAL = 100_000


@dataclass(frozen=True, slots=True)
class Remembered:
    """A location of a monitored function, and the values that it may have."""

    stored: Stored
    args: tuple[Static, ...]
    values: tuple[Static, ...]

    @property
    def label(self) -> str:
        name = self.stored.function.name
        return f"{name}({', '.join(map(shown, self.args))})" if self.args else name


ENVIRONMENT = ("monitored", "shared")


def locations(stored: Mapping[str, Stored], *categories: str) -> list[Remembered]:
    """All that is remembered of functions of these categories."""
    return [
        Remembered(place, args, _possible(place.function, args))
        for place in stored.values()
        if place.function.category in categories
        for args in product(*(values_of(sort) or () for sort in place.function.args))
    ]


def _possible(function: FunctionInfo, args: tuple[Static, ...]) -> tuple[Static, ...]:
    assert function.result is not None
    every = values_of(function.result)
    if every is None:
        raise Rejected(f"the values of {function.name} are too many to choose from", function.span)
    return every if function.allowed is None else tuple(each for each in every if each in function.allowed[args])


def write_next(remembered: Sequence[Remembered], inputs: Inputs, writer: Writer) -> None:
    """What the environment makes of each location in the next state."""
    for each in remembered:
        span = each.stored.function.span
        index = inputs.shared(f"next {each.label}", index_over(f"next {each.label}", each.values), span, certain=True)
        args = tuple(of_static(arg, span) for arg in each.args)
        for cell in each.stored.updates(args, selected(each.values, index, span), span):
            writer.emit(n.SetState(span, cell.variable, cell.indices, cell.value))


def first_value(each: FunctionInfo, args: tuple[Static, ...], initial: InitialValues) -> Static:
    """What a location is in the first initial state."""
    if each.category not in ENVIRONMENT or initial.defines(each.name):
        return initial.of(each, args)
    return _possible(each, args)[0]


def further_initial(
    remembered: Sequence[Remembered], variables: Sequence[Variable], initial: InitialValues
) -> tuple[State, ...]:
    """The initial states besides the first: with every other value of what is remembered."""
    open_ = [each for each in remembered if not initial.defines(each.stored.function.name)]
    total = prod(len(each.values) for each in open_)
    if total > MOST_INITIAL:
        function = open_[0].stored.function
        raise Rejected(
            f"monitored functions that properties ask for have {total:,} initial values together",
            function.span,
            "make their domains smaller, or let properties ask for less",
        )
    offsets = [sum(v.cells for v in variables[:k]) for k in range(len(variables))]
    first = [code for variable in variables for code in variable.initial]
    states = []
    for values in product(*(each.values for each in open_)):
        cells = list(first)
        for each, value in zip(open_, values, strict=True):
            for cell, code in each.stored.placed(each.args, value, offsets):
                cells[cell] = code
        states.append(tuple(cells))
    return tuple(dict.fromkeys(states))[1:]


def started(program: Program, always: Sequence[Predicate]) -> Program:
    """The program, with those initial states of which the predicates are true."""
    if not always:
        return program
    interpreter = Interpreter(program)
    try:
        states = [
            state
            for state in program.initial_states
            if all(interpreter.evaluate(each, state) is None for each in always)
        ]
    except Fault as fault:
        raise ModelRejected(Diagnostic(f"{fault.message}, initially", fault.span, "say it of what is there")) from None
    if not states:
        wrong = "no initial state is left by what is always true"
        raise ModelRejected(Diagnostic(wrong, always[0].span, "change it, or the initial state"))
    variables, at = [], 0
    for variable in program.variables:
        variables.append(replace(variable, initial=states[0][at : at + variable.cells]))
        at += variable.cells
    return replace(program, variables=tuple(variables), further_initial=tuple(states[1:]))
