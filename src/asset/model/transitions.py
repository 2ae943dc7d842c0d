"""Transitions and properties: decorators that record, and firing in CPython."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from math import prod
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from asset.deferred import dataclass
from asset.ir.requirements import Invariant, MayProgress, MustProgress, OfPredicate, Terminal
from asset.model.decorations import mark, marks_of, plain_function, unmarked_function
from asset.model.indices import Indexed, shown_index
from asset.model.state import rejected

if TYPE_CHECKING:
    from asset.model import Model

F = TypeVar("F", bound=Callable[..., Any])

_firing: ContextVar[object | None] = ContextVar("firing", default=None)
"""The model whose transition is being fired in this thread."""

FIRE_TRANSITION = "fire_transition"

MOST_LISTED = 12
"""How many values of an index a message lists."""


class Disabled(Exception):
    """A `when` was false: the transition being fired is disabled."""


def when(guard: object) -> None:
    """The transition being fired is disabled if the guard is false; nothing is changed then."""
    if _firing.get() is None:
        raise rejected(
            "when() outside of a transition: there is nothing it could disable",
            "use it in a method with @transition, or in what such a method calls",
        )
    if not guard:
        raise Disabled


class Fired(NamedTuple):
    """A transition with its indices: `request(2)`."""

    name: str
    indices: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(shown_index, self.indices))})" if self.indices else self.name


class Transition(Indexed):
    """A method with @transition. Called on a model it fires: True if it fired, False if it is disabled."""

    decorator = "@transition"

    def __init__(self, given: Callable[..., Any], indices: Mapping[str, Any], chosen: int = 0) -> None:
        """The last `chosen` indices are what its text chooses."""
        super().__init__(given, {name: value for name, value in indices.items() if name != "fair"})
        self.fair = self.checked_fairness(indices.get("fair"))
        self.chosen = chosen

    @property
    def of_process(self) -> tuple[str | None, int]:
        """The process that it is a step of, and how many of its last indices are choices: as in `ir.program.Family`."""
        return None, self.chosen

    @property
    def processes(self) -> tuple[str, ...]:
        """The processes that it is a step of."""
        return ()

    def is_of(self, name: str, given: tuple[Any, ...], indices: tuple[Any, ...]) -> bool:
        """Whether the command with these indices belongs to the transition or process that is named so, the first
        indices being given."""
        return indices[: len(given)] == given

    def in_model(self, model: Model) -> Transition:
        """The transition itself or, if its text chooses, one that has an index for each choice."""
        if not _may_choose(self.function):
            return self
        known = model._choosing.get(self)
        if known is None:
            # Imported here: few transitions choose.
            from asset.model.choosing_transitions import with_choices

            known = model._choosing[self] = with_choices(self, model)
        return known

    @overload
    def __get__(self, model: None, owner: type) -> Transition: ...
    @overload
    def __get__(self, model: Model, owner: type) -> Callable[..., bool]: ...
    def __get__(self, model: Model | None, owner: type) -> Transition | Callable[..., bool]:
        return self if model is None else BoundTransition(self, model)

    def fire(self, model: Model, *args: Any, **kwargs: Any) -> bool:
        """Runs the body as one atomic step; if it is disabled or raises, the model's state is as before."""
        if _firing.get() is model:
            self._reject_nested(model)
            self.function(model, *args, **kwargs)
            return True
        indices = self._checked(model, args, kwargs)
        before = model._snapshot()
        token = _firing.set(model)
        try:
            result = self.function(model, *indices)
        except Disabled:
            model._restore(before)
            return False
        except BaseException:
            model._restore(before)
            raise
        finally:
            _firing.reset(token)
        if result is not None:
            model._restore(before)
            raise TypeError(f"{self.name} returned {result!r}: a transition returns nothing; disable it with when(...)")
        model._settle()
        return True

    def _reject_nested(self, model: Model) -> None:
        """`super().request(i)` in an overriding transition runs the body; firing another transition is a mistake."""
        if getattr(type(model), self.name, None) is self:
            raise rejected(
                f"{self.name} is a transition, and cannot be fired by another one",
                "move the common code to a method without @transition",
            )

    def _checked(self, model: Model, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """The indices in order, each taken from its range; raises if one is not in it."""
        if kwargs or len(args) != len(self.index_names):
            args = inspect.signature(self.function, follow_wrapped=False).bind(model, *args, **kwargs).args[1:]
        result = []
        for name, given, values in zip(self.index_names, args, self.ranges(model), strict=True):
            if given not in values:
                raise ValueError(f"{self.name} has no {name} = {given!r}; it has {_listed(values)}")
            result.append(values[values.index(given)])
        return result


def _may_choose(function: FunctionType) -> bool:
    """Whether the code names `choose`, as it is called in the module of the function or in a module of that name."""
    called = {name for name, value in function.__globals__.items() if getattr(value, "__name__", "") == "choose"}
    return not called.union(("choose",)).isdisjoint(_names(function.__code__))


def _names(code: CodeType) -> Iterator[str]:
    """The names in the code, also in that of comprehensions."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


class BoundTransition:
    """A transition of a model. Calling it fires it; in a rule it is named by `stb`."""

    def __init__(self, transition: Transition, model: Model) -> None:
        self.transition = transition
        self.model = model
        self.__name__ = transition.name
        self.__doc__ = transition.__doc__

    def __call__(self, *args: Any, choices: tuple[Any, ...] | None = None, **kwargs: Any) -> bool:
        """Fires it; `choices` are the alternatives that it chooses, if its text has `choose`."""
        if _firing.get() is self.model:
            return self.transition.fire(self.model, *args, **kwargs)
        made = self.transition.in_model(self.model)
        if made is not self.transition and choices is None:
            raise TypeError(f"{made.name} chooses: give its {made.chosen} alternatives, choices=(...,)")
        return made.fire(self.model, *args, *(choices or ()), **kwargs)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A transition whose instances have the numbers from `first` on: one for each combination of `ranges`, the last
    index fastest."""

    transition: Transition
    ranges: tuple[tuple[int, ...], ...]
    first: int

    @property
    def size(self) -> int:
        return prod(len(values) for values in self.ranges)

    def number(self, indices: Sequence[int]) -> int:
        """The number of the instance with these indices; raises IndexError if there is none."""
        number = 0
        for name, index, values in zip(self.transition.index_names, indices, self.ranges, strict=True):
            if index not in values:
                raise IndexError(f"{self.transition.name} has no {name} = {index!r}; it has {_listed(values)}")
            number = number * len(values) + values.index(index)
        return self.first + number


def numbered(model: Model) -> Mapping[str, Numbered]:
    """The model's decorated transitions with their numbers, in order, by name."""
    if not model._numbered:
        first = 0
        for declared in declared_transitions(model):
            family = Numbered(declared, declared.ranges(model), first)
            model._numbered[declared.name] = family
            first += family.size
    return model._numbered


def _listed(values: tuple[Any, ...]) -> str:
    if len(values) > 1 and values == tuple(range(len(values))):
        return f"0 to {len(values) - 1}"
    more = f" and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
    return (", ".join(map(shown_index, values[:MOST_LISTED])) or "none") + more


if TYPE_CHECKING:
    # For a type checker a transition is a method that returns whether it fired.
    @overload
    def transition(function: Callable[..., None], /) -> Callable[..., bool]: ...
    @overload
    def transition(**indices: Any) -> Callable[[Callable[..., None]], Callable[..., bool]]: ...


def transition(function: Any = None, /, **indices: Any) -> Any:
    """Declares a transition: `@transition`, or `@transition(i="n")` for one with an index i in range(n).

    An index ranges over a number, a range, a tuple of integers or an IntEnum class; as text, it is an expression over
    the parameters. The method's code is one atomic step. `fair="weak"` or `"strong"` says how each of its instances is
    treated in the runs that temporal properties are about.
    """
    return Transition.decorating(function, indices)


@dataclass(frozen=True, slots=True)
class DeclaredProperty:
    kind: type[OfPredicate]
    name: str
    function: FunctionType
    messages: bool = False
    """In the ASSET style: returns what is wrong as text, or None."""


def _mark(given: F | None, indices: Mapping[str, object], decorator: str) -> F:
    """One method may have several of these decorators: it is then a property of each kind."""
    if indices:
        each = " ".join(f"for {name} in …" for name in indices)
        raise rejected(f"{decorator} takes no indices", f"write {decorator}, and say it for each: return all(… {each})")
    if given is None:
        raise rejected(f"{decorator} has no brackets", f"write {decorator}")
    function = plain_function(decorator, given)
    if not set(marks_of(function)) <= PROPERTIES.keys():
        function = unmarked_function(decorator, given)
    if decorator not in marks_of(function):
        mark(decorator, function)
    return given


def invariant(function: F | None = None, /, **refused: object) -> F:
    """Declares a property that holds in every reachable state."""
    return _mark(function, refused, "@invariant")


def terminal(function: F | None = None, /, **refused: object) -> F:
    """Declares a property that holds in every state that no transition changes."""
    return _mark(function, refused, "@terminal")


def may_progress(function: F | None = None, /, **refused: object) -> F:
    """Declares progress states: from every reachable state, one is reachable."""
    return _mark(function, refused, "@may_progress")


def must_progress(function: F | None = None, /, **refused: object) -> F:
    """Declares progress states: every run goes through them again and again."""
    return _mark(function, refused, "@must_progress")


PROPERTIES: Mapping[str, type[OfPredicate]] = {
    "@invariant": Invariant,
    "@terminal": Terminal,
    "@may_progress": MayProgress,
    "@must_progress": MustProgress,
}

ASSET_STYLE: Mapping[str, type[OfPredicate]] = {
    "check_state": Invariant,
    "check_deadlock": Terminal,
    "is_may_progress": MayProgress,
    "is_must_progress": MustProgress,
}


def members_in_order(cls: type) -> dict[str, Any]:
    """The names that the class and its bases define, base classes first, with what they mean in the class."""
    names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
    return {name: inspect.getattr_static(cls, name) for name in names}


def transitions_of(cls: type) -> tuple[Transition, ...]:
    return tuple(member for member in members_in_order(cls).values() if isinstance(member, Transition))


class TransitionSource(ABC):
    """A member of a model that stands for several transitions: a process."""

    @abstractmethod
    def transitions(self, model: Model) -> tuple[Transition, ...]:
        """Its transitions in the model."""


def declared_transitions(model: Model) -> tuple[Transition, ...]:
    """The model's transitions, and the steps of its processes, in the order of the text."""
    found: list[Transition] = []
    for member in members_in_order(type(model)).values():
        if isinstance(member, Transition):
            found.append(member.in_model(model))
        elif isinstance(member, TransitionSource):
            found += member.transitions(model)
    return tuple(found)


def properties_of(cls: type) -> tuple[DeclaredProperty, ...]:
    """The properties in the order of the text; the kinds of one method as its decorators stand, from top to bottom."""
    found = []
    for name, member in members_in_order(cls).items():
        if not isinstance(member, FunctionType):
            continue
        kinds = [PROPERTIES[decorator] for decorator in reversed(marks_of(member)) if decorator in PROPERTIES]
        found += [DeclaredProperty(kind, name, member) for kind in kinds]
        if name in ASSET_STYLE:
            found.append(DeclaredProperty(ASSET_STYLE[name], name, member, name.startswith("check_")))
    return tuple(found)
