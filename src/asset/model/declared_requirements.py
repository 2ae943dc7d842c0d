"""What a model asks of runs, and all that it asks for: its requirements."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from asset.errors import ModelRejected
from asset.ir.requirements import Predicate, Recurrence, Requirement, Termination
from asset.model.declared_formulas import AskedFormula, Observe, declared_formulas
from asset.model.decorations import note
from asset.model.processes import Process
from asset.model.spans import user_span
from asset.model.state import rejected
from asset.model.transitions import Transition, members_in_order, numbered, properties_of
from asset.span import NOWHERE

if TYPE_CHECKING:
    from asset.model import Model

    Named = Callable[..., bool] | tuple[Callable[..., bool], ...]

Declared = Transition | Process

M = TypeVar("M", bound="type[Model]")


class Recurrent:
    """A property of the model, named by the attribute that it is assigned to."""

    decorator = "recurrent"

    def __init__(self, again: tuple[Declared, ...], then: tuple[Declared, ...]) -> None:
        self.again = again
        self.then = then
        self.span = user_span() or NOWHERE


def recurrent(again: Named, *, then: Named = ()) -> Any:
    """Declares a property: if transitions of `again` occur infinitely often, so do transitions of `then`.

    `delivered = recurrent(pass_message, then=deliver)` in the body of the class; several transitions make a tuple, a
    process stands for all its steps. Without `then`, no transition of `again` may occur infinitely often.
    """
    declared = Recurrent(_transitions(again), _transitions(then))
    note("recurrent", declared)
    return declared


def _transitions(named: Any) -> tuple[Declared, ...]:
    several = named if isinstance(named, tuple) else (named,)
    if not all(isinstance(one, Declared) for one in several):
        raise rejected("recurrent takes transitions of the model", "write recurrent(pass_message, then=deliver)")
    return several


def terminates(cls: M) -> M:
    """Declares that the model is always may-terminating: from every reachable state a terminal state is reachable.

    It decorates the class; its subclasses inherit it.
    """
    _require_class(cls, "@terminates")
    cls._terminates = True
    return cls


def idle_steps(cls: M) -> M:
    """Declares that a step that changes nothing is a step for every question, as in models of SPIN.

    It decorates the class; its subclasses inherit it.
    """
    _require_class(cls, "@idle_steps")
    cls._idle_steps = True
    return cls


def _require_class(decorated: object, decorator: str) -> None:
    if not isinstance(decorated, type):
        raise rejected(f"{decorator} stands above a class", "write it above the class of the model")


def requirements_of(
    model: Model, predicates: Sequence[Predicate], observe: Observe, asked: Sequence[AskedFormula] = ()
) -> tuple[Requirement, ...]:
    """All that the model asks for, and formulas that are asked besides. `predicates` are those of its properties, in
    their order; `observe` makes predicates of the parts of formulas."""
    declared = zip(properties_of(type(model)), predicates, strict=True)
    about_states = [each.kind(predicate) for each, predicate in declared]
    termination = [Termination()] if model._terminates else []
    return (*about_states, *_recurrences(model), *termination, *declared_formulas(model, observe, asked))


def _recurrences(model: Model) -> Iterator[Recurrence]:
    for name, member in members_in_order(type(model)).items():
        if isinstance(member, Recurrent):
            again, then = (_numbers(model, member, named) for named in (member.again, member.then))
            yield Recurrence(name, again, then, member.span)


def _numbers(model: Model, declared: Recurrent, named: Iterable[Declared]) -> frozenset[int]:
    """By name: a subclass may have replaced a transition or a process by its own."""
    families = numbered(model)
    numbers: set[int] = set()
    for one in named:
        member = inspect.getattr_static(type(model), one.name, None)
        if not isinstance(member, Declared):
            message = f"{one.name} is not a transition of {type(model).__name__}"
            raise ModelRejected.of(message, declared.span)
        steps = member.transitions(model) if isinstance(member, Process) else (member,)
        for family in (families[step.name] for step in steps):
            numbers.update(range(family.first, family.first + family.size))
    return frozenset(numbers)
