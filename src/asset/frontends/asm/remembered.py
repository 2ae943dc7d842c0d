"""What the environment changes and the state remembers: monitored functions that properties speak of, and shared ones.

They have any value initially, unless the initial state says which. Each step chooses what they are in the next state;
rules may overwrite that of shared ones. A monitored function that neither a property nor the initial state asks for is
an input of the step and not stored; if the initial state says what it is, that is what the first step is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from math import prod

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.asm.code import Writer
from asset.frontends.asm.firing import selected
from asset.frontends.asm.initial import ENVIRONMENT, InitialValues, possible
from asset.frontends.asm.inputs import Inputs, index_over
from asset.frontends.asm.kinds import Static, shown, values_of
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.storage import Stored
from asset.frontends.asm.values import of_static
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State, Variable
from asset.ir.requirements import Predicate
from asset.span import Span

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


def locations(stored: Mapping[str, Stored], *categories: str) -> list[Remembered]:
    """All that is remembered of functions of these categories."""
    return [
        Remembered(place, args, possible(place.function, args))
        for place in stored.values()
        if place.function.category in categories
        for args in product(*(values_of(sort) or () for sort in place.function.args))
    ]


def write_next(remembered: Sequence[Remembered], inputs: Inputs, writer: Writer) -> None:
    """What the environment makes of each location in the next state."""
    for each in remembered:
        span = each.stored.function.span
        index = inputs.shared(f"next {each.label}", index_over(f"next {each.label}", each.values), span, certain=True)
        args = tuple(of_static(arg, span) for arg in each.args)
        for cell in each.stored.updates(args, selected(each.values, index, span), span):
            writer.emit(n.SetState(span, cell.variable, cell.indices, cell.value))


@dataclass(frozen=True, slots=True)
class Beginnings:
    """All ways to begin: with every value of what the environment may have made of what is remembered."""

    stored: Mapping[str, Stored]
    initial: InitialValues

    def further(self, variables: Sequence[Variable]) -> tuple[State, ...]:
        """The initial states besides the first, which the variables give."""
        open_, combinations = self._open()
        states: Iterable[State]
        if self.initial.depends:
            states = (self._evaluated(each) for values in combinations for each in self._every(open_, values))
            states = islice(states, MOST_INITIAL + 1)
        else:
            first = [code for variable in variables for code in variable.initial]
            offsets = [sum(v.cells for v in variables[:k]) for k in range(len(variables))]
            states = (_placed(first, offsets, open_, values) for values in combinations)
        found = tuple(dict.fromkeys(states))[1:]
        if len(found) >= MOST_INITIAL:
            raise _too_many(f"more than {MOST_INITIAL:,}", variables[0].span)
        return found

    def with_values(self, *tests: Callable[[Static], bool]) -> tuple[set[str], ...]:
        """For each test, the functions that have a location with such a value in one of them."""
        open_, combinations = self._open()
        if not self.initial.depends:
            combinations = [tuple(each.values[0] for each in open_)]
        every = islice((each for values in combinations for each in self._every(open_, values)), MOST_INITIAL)
        found: tuple[set[str], ...] = tuple(set() for _ in tests)
        for each in every:
            for name, place in self.stored.items():
                values = list(place.initial_values(partial(each.of, place.function)))
                for test, names in zip(tests, found, strict=True):
                    names.update([name] if any(map(test, values)) else [])
        return found

    def _open(self) -> tuple[list[Remembered], Iterable[tuple[Static, ...]]]:
        """What is not said, and all combinations of what it can be."""
        every = locations(self.stored, *ENVIRONMENT)
        open_ = [each for each in every if not self.initial.defines(each.stored.function.name)]
        total = prod(len(each.values) for each in open_)
        if total > MOST_INITIAL:
            raise _too_many(f"{total:,}", open_[0].stored.function.span)
        return open_, product(*(each.values for each in open_))

    def _every(self, open_: Sequence[Remembered], values: tuple[Static, ...]) -> Iterator[InitialValues]:
        places = ((each.stored.function.name, each.args) for each in open_)
        return self.initial.every(dict(zip(places, values, strict=True)))

    def _evaluated(self, initial: InitialValues) -> State:
        found = (place.variables(partial(initial.of, place.function)) for place in self.stored.values())
        return tuple(code for variables in found for variable in variables for code in variable.initial)


def _too_many(total: str, span: Span) -> Rejected:
    problem = f"monitored functions that properties or initial states ask for have {total} initial values together"
    return Rejected(problem, span, "make their domains smaller, or let properties ask for less")


def _placed(first: Sequence[int], offsets: list[int], open_: Sequence[Remembered], values: tuple[Static, ...]) -> State:
    cells = list(first)
    for each, value in zip(open_, values, strict=True):
        for cell, code in each.stored.placed(each.args, value, offsets):
            cells[cell] = code
    return tuple(cells)


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
    return beginning(program, states)


def beginning(program: Program, states: Sequence[State]) -> Program:
    """The program with these initial states."""
    variables, at = [], 0
    for variable in program.variables:
        variables.append(replace(variable, initial=states[0][at : at + variable.cells]))
        at += variable.cells
    return replace(program, variables=tuple(variables), further_initial=tuple(states[1:]))
