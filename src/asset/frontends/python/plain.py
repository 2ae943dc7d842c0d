"""A model run by CPython itself: slower, but whatever Python can do, a transition can."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import NoReturn

from asset.errors import described
from asset.frontends.python.exceptions import kind_of
from asset.frontends.python.patience import within_patience
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Family, Program, State, Style
from asset.ir.requirements import Predicate, StepPredicate
from asset.model import (
    FIRE_TRANSITION,
    SYMMETRY_REPRESENTATIVE,
    Model,
    cells_of,
    declared_of,
    fire,
    further_initial_states,
    in_state,
    variables_of,
)
from asset.model.declared_formulas import AskedFormula
from asset.model.declared_requirements import requirements_of
from asset.model.formula_reading import StateAtom, StepAtom
from asset.model.indices import codes_of, labels_of
from asset.model.spans import definition_span, traceback_span
from asset.model.stubborn_rules import listed_by, rules_of
from asset.model.transitions import Numbered, numbered, properties_of
from asset.span import Span

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

    def __init__(self, model: Model, asked: Sequence[AskedFormula] = ()) -> None:
        self._model = model
        self._atoms: dict[Predicate, FunctionType] = {}
        self._of_steps: dict[StepPredicate, StepAtom] = {}
        self._transitions = model.transitions()
        self._rules = rules_of(type(model))
        self._checks = {p.name for p in properties_of(type(model)) if p.messages}
        predicates = [Predicate(p.name, 0, (), definition_span(p.function)) for p in properties_of(type(model))]
        self.program = Program(
            type(model).__name__,
            tuple(model.parameters.items()),
            variables_of(model),
            (),
            _families(model),
            requirements_of(model, predicates, self._observed, asked),
            0 if hasattr(model, SYMMETRY_REPRESENTATIVE) else None,
            declared_of(model),
            further_initial_states(model),
            idle_steps=type(model)._idle_steps,
        )

    def _observed(self, atom: StateAtom | StepAtom) -> Predicate | StepPredicate:
        """The part of a formula that speaks of a state or a step; numbered, as its name may be that of a method."""
        number = len(self._atoms) + len(self._of_steps)
        if isinstance(atom, StepAtom):
            of_step = StepPredicate(atom.text, number, tuple(range(len(atom.values))), atom.span)
            self._of_steps[of_step] = atom
            return of_step
        predicate = Predicate(atom.text, number, (), atom.span)
        self._atoms[predicate] = atom.function
        return predicate

    def evaluate_step(self, predicate: StepPredicate, before: State, after: State) -> bool:
        """Whether the predicate holds of the step. Raises Fault on a model error."""
        atom = self._of_steps[predicate]
        try:
            with within_patience():
                values = [value(in_state(self._model, after)) for value in atom.values]
                return bool(atom.function(in_state(self._model, before), *values))
        except BaseException as error:
            _raise_fault(error, predicate.span)

    def fire(self, state: State, command: int) -> State | None:
        """The state after the command, or None if it is disabled. Raises Fault on a model error."""
        model = in_state(self._model, state)
        try:
            with within_patience():
                fired = fire(model, self._transitions[command])
        except BaseException as error:
            _raise_fault(error, self.program.commands[command][0].span)
        if fired:
            return cells_of(model)
        if cells_of(model) != state:
            family = self.program.commands[command][0]
            raise Fault(FaultKind.CHANGED, family.span, f"{family.name} returned False but changed the state")
        return None

    def evaluate(self, predicate: Predicate, state: State) -> str | None:
        """None if the predicate holds, else what is wrong. Raises Fault on a model error."""
        model = in_state(self._model, state)
        try:
            with within_patience():
                atom = self._atoms.get(predicate)
                result = getattr(model, predicate.name)() if atom is None else atom(model)
        except BaseException as error:
            _raise_fault(error, predicate.span)
        if predicate.name in self._checks:
            return str(result) if result else None
        return None if result else f"{predicate.name} is false"

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        """The commands that a stubborn set of the state must contain if it contains this one, in the order listed."""
        family = self.program.commands[command][0]
        rule = self._rules.get(family.name)
        if rule is None:
            return tuple(range(self.program.nr_commands))
        model = in_state(self._model, state)
        try:
            with within_patience():
                listed = listed_by(rule, model, self._transitions[command].indices)
        except BaseException as error:
            _raise_fault(error, definition_span(rule))
        if cells_of(model) != state:
            raise Fault(FaultKind.CHANGED, definition_span(rule), f"{rule.__name__} is a rule, but changed the state")
        return listed

    def representative(self, state: State) -> State:
        """The symmetric state that stands for this one; the state itself if the model has no symmetry."""
        model = in_state(self._model, state)
        represent = getattr(model, SYMMETRY_REPRESENTATIVE, None)
        if represent is None:
            return state
        try:
            with within_patience():
                represent()
        except BaseException as error:
            _raise_fault(error, definition_span(represent.__func__))
        return cells_of(model)


def _kind(error: BaseException) -> FaultKind:
    """Python has one class, ValueError, for several of the language's model errors."""
    if type(error) is ValueError:
        return next((kind for text, kind in _TEXTS.items() if str(error).startswith(text)), FaultKind.RAISE)
    return kind_of(type(error))


def _raise_fault(error: BaseException, otherwise: Span) -> NoReturn:
    """The model error that the exception is, in the user's code, or else at the other place."""
    if isinstance(error, KeyboardInterrupt | MemoryError):  # not the model's doing
        raise error
    kind = _kind(error)
    text = described(error) if kind is FaultKind.RAISE else str(error)
    raise Fault(kind, traceback_span(error.__traceback__) or otherwise, text or "assertion failed") from error


def _families(model: Model) -> tuple[Family, ...]:
    """The commands; a rule, if there is one, is run by name, as the transitions are."""
    rules = dict.fromkeys(rules_of(type(model)), 0)
    if model._nr_transitions is not None:
        function = inspect.getattr_static(type(model), FIRE_TRANSITION)
        assert isinstance(function, FunctionType)
        numbers, rule = tuple(range(model._nr_transitions)), rules.get(FIRE_TRANSITION)
        return (Family(FIRE_TRANSITION, 0, (numbers,), Style.FIRE, 0, definition_span(function), rule),)
    return tuple(_family(family, rules.get(name)) for name, family in numbered(model).items())


def _family(family: Numbered, rule: int | None) -> Family:
    ranges = tuple(map(codes_of, family.ranges))
    span = definition_span(family.transition.function)
    transition = family.transition
    labels = labels_of(family.ranges)
    return Family(transition.name, 0, ranges, Style.GUARDED, family.first, span, rule, *transition.of_process, labels)
