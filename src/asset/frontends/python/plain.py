"""A model run by CPython itself: slower, but whatever Python can do, a transition can."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import NoReturn

from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Family, Program, Property, State, Style
from asset.model import FIRE_TRANSITION, Model, OutOfRange, cells_of, fire, in_state, variables_of
from asset.model.places import definition_span, traceback_span
from asset.model.transitions import properties_of, transitions_of

_KINDS: tuple[tuple[type[Exception], FaultKind], ...] = (
    (OutOfRange, FaultKind.RANGE),
    (IndexError, FaultKind.INDEX),
    (ZeroDivisionError, FaultKind.DIVISION),
    (AssertionError, FaultKind.ASSERTION),
)

_TEXTS = {
    "negative shift count": FaultKind.SHIFT,
    "range() arg 3": FaultKind.RANGE,
    "min() ": FaultKind.EMPTY,
    "max() ": FaultKind.EMPTY,
}


class PlainPython:
    """Fires transitions and evaluates properties by calling the model's own methods.

    Its program has variables, commands and properties, but no code.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._transitions = model.transitions()
        self._checks = {p.name for p in properties_of(type(model)) if p.messages}
        self.program = Program(
            type(model).__name__,
            tuple(model.parameters.items()),
            variables_of(model),
            (),
            _families(model),
            tuple(Property(p.kind, p.name, 0, (), definition_span(p.function)) for p in properties_of(type(model))),
        )

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None where it is disabled. Raises Fault on a model error."""
        model = in_state(self._model, state)
        try:
            fired = fire(model, self._transitions[command])
        except Exception as error:
            _raise_fault(error, self.program.commands[command][0])
        if fired:
            return cells_of(model)
        if cells_of(model) != state:
            family = self.program.commands[command][0]
            raise Fault(FaultKind.CHANGED, family.span, f"{family.name} returned False but changed the state")
        return None

    def evaluate(self, prop: Property, state: State) -> str | None:
        """None where the property holds, else what is wrong. Raises Fault on a model error."""
        try:
            result = getattr(in_state(self._model, state), prop.name)()
        except Exception as error:
            _raise_fault(error, prop)
        if prop.name in self._checks:
            return str(result) if result else None
        return None if result else f"{prop.name} is false"


def _kind(error: Exception) -> FaultKind:
    """Python has one class, ValueError, for several of the language's model errors."""
    if type(error) is ValueError:
        return next((kind for text, kind in _TEXTS.items() if str(error).startswith(text)), FaultKind.RAISE)
    return next((kind for cls, kind in _KINDS if isinstance(error, cls)), FaultKind.RAISE)


def _raise_fault(error: Exception, where: Family | Property) -> NoReturn:
    kind, text = _kind(error), str(error)
    if kind is FaultKind.RAISE:
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    raise Fault(kind, traceback_span(error.__traceback__) or where.span, text or "assertion failed") from error


def _families(model: Model) -> tuple[Family, ...]:
    families: list[Family] = []
    first = 0
    if model._nr_transitions is not None:
        function = inspect.getattr_static(type(model), FIRE_TRANSITION)
        assert isinstance(function, FunctionType)
        numbers = tuple(range(model._nr_transitions))
        return (Family(FIRE_TRANSITION, 0, (numbers,), Style.FIRE, 0, definition_span(function)),)
    for declared in transitions_of(type(model)):
        ranges = tuple(tuple(int(v) for v in values) for values in declared.ranges(model))
        span = definition_span(declared.function)
        families.append(Family(declared.name, 0, ranges, Style.GUARDED, first, span))
        first += families[-1].size
    return tuple(families)
