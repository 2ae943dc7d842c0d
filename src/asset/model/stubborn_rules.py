"""Hand-written stubborn set rules: which transitions must be in a stubborn set if a given one is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from asset.errors import ModelRejected
from asset.model.decorations import mark, parameters_of_function, takes_only_names, unmarked_function
from asset.model.spans import definition_span
from asset.model.state import rejected
from asset.model.transitions import FIRE_TRANSITION, BoundTransition, Transition, members_in_order, numbered

if TYPE_CHECKING:
    from asset.model import Model

F = TypeVar("F", bound=Callable[..., None])

NEXT_STUBBORN = "next_stubborn"
RULE_MARK = "__asset_rule__"


@dataclass(frozen=True, slots=True)
class RunningRule:
    """The rule that is being run in this thread: of which model, and what it has listed so far."""

    model: Model
    numbers: list[int] = field(default_factory=list)


_listing: ContextVar[RunningRule | None] = ContextVar("listing", default=None)


# --- what a modeller writes ---------------------------------------------------------------------------------------


def obligations(transition: Callable[..., bool]) -> Callable[[F], F]:
    """Declares a rule for the transition: a method with the same indices.

    With `stb` and `stb_all` it lists the transitions that must be in a stubborn set of the state if this one is. A rule
    that lists nothing obliges nothing.
    """
    of: object = transition
    if not isinstance(of, Transition):
        raise rejected("@obligations takes a transition of the model", "write @obligations(request)")
    expected = of.index_names

    def declare(function: F) -> F:
        rule = unmarked_function("@obligations", function)
        if parameters_of_function(rule)[1:] != expected or not takes_only_names(rule):
            raise ModelRejected.of(
                f"{rule.__name__} is a rule for {of.name}, and must have its indices",
                definition_span(rule),
                f"write def {rule.__name__}({', '.join(('self', *expected))})",
            )
        setattr(rule, RULE_MARK, of)
        mark("@obligations", rule)
        return function

    return declare


def stb(*obliged: int | Callable[..., bool]) -> None:
    """In a rule: these must be in the stubborn set too.

    `stb(self.request, i)` names a transition and its indices; `stb(self.request)` stands for all of its indices. In the
    ASSET style, `stb(a, b)` takes the numbers of transitions.
    """
    listing = _current("stb")
    listing.numbers.extend(_numbers(listing.model, obliged))


def stb_all() -> None:
    """In a rule: every transition must be in the stubborn set too."""
    listing = _current("stb_all")
    listing.numbers.extend(range(len(listing.model.transitions())))


# --- running a rule in CPython ------------------------------------------------------------------------------------


def _current(name: str) -> RunningRule:
    listing = _listing.get()
    if listing is None:
        raise rejected(
            f"{name}() outside of a rule: there is nothing it could oblige",
            f"use it in a method with @obligations, or in {NEXT_STUBBORN}",
        )
    return listing


def _numbers(model: Model, obliged: tuple[Any, ...]) -> Iterable[int]:
    if model._nr_transitions is not None:
        return [_existing(model._nr_transitions, number) for number in obliged]
    if not obliged or not isinstance(obliged[0], BoundTransition):
        raise rejected("stb names a transition, then its indices", "write stb(self.request, i)")
    transition, indices = obliged[0].transition, obliged[1:]
    family = numbered(model)[transition.name]
    if not indices:
        return range(family.first, family.first + family.size)
    if len(indices) != len(family.ranges):
        expected = ", ".join(transition.index_names) or "no index"
        raise rejected(f"{transition.name} takes {expected}, but is given {len(indices)}")
    return [family.number(indices)]


def _existing(count: int, number: int) -> int:
    if not 0 <= number < count:
        raise IndexError(f"there is no transition {number}: their numbers are 0 to {count - 1}")
    return int(number)


def listed_by(rule: FunctionType, model: Model, indices: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of the transitions that the rule lists in the model's state, in their order."""
    listing = RunningRule(model)
    token = _listing.set(listing)
    try:
        result = rule(model, *indices)
    finally:
        _listing.reset(token)
    if result is not None:
        raise TypeError(f"{rule.__name__} returned {result!r}: a rule returns nothing; it lists with stb(...)")
    return tuple(listing.numbers)


# --- finding the rules of a model ---------------------------------------------------------------------------------


def rules_of(cls: type[Model]) -> dict[str, FunctionType]:
    """The rules by the names of their transitions; raises ModelRejected if one is out of place."""
    members = members_in_order(cls)
    numbering = members.get(NEXT_STUBBORN)
    if isinstance(numbering, FunctionType):
        _reject_unnumbered(cls, numbering)
        return {FIRE_TRANSITION: numbering}
    rules: dict[str, FunctionType] = {}
    for member in members.values():
        of = getattr(member, RULE_MARK, None) if isinstance(member, FunctionType) else None
        if of is None:
            continue
        if of.name in rules:
            raise ModelRejected.of(
                f"{of.name} has two rules: {rules[of.name].__name__} and {member.__name__}",
                definition_span(member),
                "a rule of a subclass replaces that of its base class if it has the same name",
            )
        rules[of.name] = member
        _reject_unfit(cls, of, member)
    return rules


def _reject_unnumbered(cls: type, rule: FunctionType) -> None:
    if FIRE_TRANSITION not in members_in_order(cls):
        raise ModelRejected.of(
            f"{NEXT_STUBBORN} is for transitions with numbers, and {cls.__name__} has no {FIRE_TRANSITION}",
            definition_span(rule),
            "write a method with @obligations(request) for each transition",
        )
    if len(parameters_of_function(rule)) != 2 or not takes_only_names(rule):
        message = f"{NEXT_STUBBORN} must be a method with one argument, the transition's number"
        raise ModelRejected.of(message, definition_span(rule))


def _reject_unfit(cls: type, of: Transition, rule: FunctionType) -> None:
    """A subclass may have replaced the transition that a rule was written for."""
    now = inspect.getattr_static(cls, of.name, None)
    if not isinstance(now, Transition) or now.index_names != of.index_names:
        raise ModelRejected.of(
            f"{rule.__name__} is a rule for {of.name}, which {cls.__name__} does not have with these indices",
            definition_span(rule),
            "a rule is for a transition of the same class or of a base class",
        )
