"""Initial values: what each location is before the first step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import (
    UNDEFINED,
    Element,
    Mapped,
    Sort,
    Static,
    TupleSort,
    Undefined,
    flattened,
    shown,
    values_of,
)
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import FunctionInfo, Signature
from asset.frontends.asm.statics import CHOICE, StaticEvaluator, looked_up
from asset.span import Span

ENVIRONMENT = ("monitored", "shared")
"""What the environment changes: it has any value initially, unless the initial state says which."""

FIRST_STEP = "first step"
"""The location that says whether no step was made yet. No function of a machine has a blank in its name."""

Given = Mapping[tuple[str, tuple[Static, ...]], Static]
"""What the environment has made of locations."""


def possible(function: FunctionInfo, args: tuple[Static, ...]) -> tuple[Static, ...]:
    """All values that a location may have."""
    every = function.inputs
    if every is None:
        raise Rejected(f"the values of {function.name} are too many to choose from", function.span)
    return every if function.allowed is None else tuple(each for each in every if each in function.allowed[args])


class InitialValues:
    """Evaluates an initial state; what a function is initially may depend on others, on the environment, and on what
    `chooseone` gives: those of the decisions, in the order in which they are asked for, then always the first."""

    def __init__(
        self, names: Signature, initial: t.Initial | None, given: Given | None = None, decisions: Sequence[int] = ()
    ) -> None:
        self._names = names
        self._initial = initial
        self._definitions = {each.name: each for each in (initial.functions if initial is not None else ())}
        self._given = given or {}
        self._decisions = decisions
        self._decided: list[tuple[int, int]] = []
        """What was chosen, of how many."""
        self._evaluator = StaticEvaluator(names, self._read)
        self._known: dict[tuple[str, tuple[Static, ...]], Static] = {}

    def defines(self, name: str) -> bool:
        """Whether the initial state says what the function is."""
        return name in self._definitions

    def every(self, given: Given) -> Iterator[InitialValues]:
        """All that the initial state can be with these values of the environment, each to be evaluated as a whole."""
        decisions: list[int] | None = []
        while decisions is not None:
            found = InitialValues(self._names, self._initial, given, decisions)
            yield found
            decisions = found._next_decisions()

    def _next_decisions(self) -> list[int] | None:
        taken = self._decided
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        return [*(choice for choice, _ in taken[:-1]), taken[-1][0] + 1] if taken else None

    def asks_for(self) -> set[str]:
        """The functions that the initial state reads, by themselves or in derived functions."""
        return functions_in((each.body for each in self._definitions.values()), self._names)

    @property
    def depends(self) -> bool:
        """Whether it depends on what the environment does, or on a choice."""
        asked = [self._names.functions[name] for name in self.asks_for()]
        bodies = [*self._definitions.values(), *(each.definition for each in asked if each.definition is not None)]
        chooses = any(isinstance(each, t.Apply) and each.name == CHOICE for each in t.walk(*bodies))
        return chooses or any(each.category in ENVIRONMENT for each in asked)

    def of(self, function: FunctionInfo, args: tuple[Static, ...]) -> Static:
        key = (function.name, args)
        if key not in self._known:
            self._known[key] = self._checked(function, args)
        return self._known[key]

    def _read(self, name: str, args: tuple[Static, ...], span: Span) -> Static:
        if name == CHOICE:
            return self._chosen(args)
        if name in self._names.domains:
            every = values_of(self._names.domains[name]) or ()
            return frozenset(each for each in every if not self._is_reserved(each))
        return self.of(self._names.functions[name], args)

    def _chosen(self, elements: tuple[Static, ...]) -> Static:
        if not elements:
            return UNDEFINED
        at = len(self._decided)
        choice = self._decisions[at] if at < len(self._decisions) else 0
        self._decided.append((choice, len(elements)))
        return elements[choice]

    def _is_reserved(self, value: Static) -> bool:
        """Whether it is an element that a step makes."""
        return isinstance(value, Element) and self._names.is_reserved(value)

    def _checked(self, function: FunctionInfo, args: tuple[Static, ...]) -> Static:
        if function.name == FIRST_STEP:
            return True
        if function.name in self._names.history:
            return False  # until it is known what the initial state is
        if any(function.name == each.counter for each in self._names.growing.values()):
            return 0
        if function.category in ENVIRONMENT and not self.defines(function.name):
            return self._given.get((function.name, args), possible(function, args)[0])
        if any(map(self._is_reserved, flattened(args))):
            return function.elsewhere
        definition = self._definitions.get(function.name)
        if definition is None:
            return UNDEFINED
        value = self._value(definition, args)
        self._require_fit(function, args, value, definition)
        return value

    def _value(self, definition: t.Definition, args: tuple[Static, ...]) -> Static:
        if definition.params:
            return self._evaluator.value(definition.body, self._evaluator.bound(definition, args, definition.span))
        value = self._evaluator.value(definition.body, {})
        if not args:
            return value
        if isinstance(value, Mapped | frozenset):
            return looked_up(value, args)
        return value

    def _require_fit(
        self, function: FunctionInfo, args: tuple[Static, ...], value: Static, definition: t.Definition
    ) -> None:
        if isinstance(value, Undefined) or function.result is None:
            return
        fits = _fits(function.result, value)
        if function.allowed is not None:
            fits = value in function.allowed.get(args, ())
        if not fits:
            at = f"({', '.join(map(shown, args))})" if args else ""
            raise Rejected(
                f"the initial value {shown(value)} of {function.name}{at} is not one that it takes",
                definition.body.span,
                "change it, or the domain or the finiteness constraint",
            )


def _fits(sort: Sort, value: Static) -> bool:
    """Whether it is a value of the sort; parts of a tuple may be `undef`."""
    if isinstance(sort, TupleSort) and isinstance(value, tuple) and len(sort.parts) == len(value):
        pairs = zip(sort.parts, value, strict=True)
        return all(isinstance(each, Undefined) or _fits(part, each) for part, each in pairs)
    every = values_of(sort)
    return every is None or value in every


def functions_in(terms: Iterable[t.Term], names: Signature) -> set[str]:
    """The functions that the terms read, by themselves or in derived functions."""
    found: set[str] = set()
    pending = list(terms)
    while pending:
        for node in t.walk(pending.pop()):
            name = node.name if isinstance(node, t.Name | t.Apply) else None
            if name is not None and name in names.functions and name not in found:
                found.add(name)
                definition = names.functions[name].definition
                pending += [] if definition is None else [definition.body]
    return found
