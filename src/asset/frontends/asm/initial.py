"""Initial values: what each location is before the first step."""

from __future__ import annotations

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import (
    UNDEFINED,
    Element,
    Mapped,
    Static,
    Undefined,
    flattened,
    shown,
    values_of,
)
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import FunctionInfo, Signature
from asset.frontends.asm.statics import StaticEvaluator, looked_up
from asset.span import Span


class InitialValues:
    """Evaluates an initial state; what a function is initially may depend on others."""

    def __init__(self, names: Signature, initial: t.Initial | None) -> None:
        self._names = names
        self._definitions = {each.name: each for each in (initial.functions if initial is not None else ())}
        self._evaluator = StaticEvaluator(names, self._read)
        self._known: dict[tuple[str, tuple[Static, ...]], Static] = {}

    def defines(self, name: str) -> bool:
        """Whether the initial state says what the function is."""
        return name in self._definitions

    def of(self, function: FunctionInfo, args: tuple[Static, ...]) -> Static:
        key = (function.name, args)
        if key not in self._known:
            self._known[key] = self._checked(function, args)
        return self._known[key]

    def _read(self, name: str, args: tuple[Static, ...], span: Span) -> Static:
        if name in self._names.domains:
            every = values_of(self._names.domains[name]) or ()
            return frozenset(each for each in every if not self._is_reserved(each))
        return self.of(self._names.functions[name], args)

    def _is_reserved(self, value: Static) -> bool:
        """Whether it is an element that a step makes."""
        return isinstance(value, Element) and self._names.is_reserved(value)

    def _checked(self, function: FunctionInfo, args: tuple[Static, ...]) -> Static:
        if any(function.name == each.counter for each in self._names.growing.values()):
            return 0
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
        every = values_of(function.result)
        if function.allowed is not None:
            every = tuple(function.allowed.get(args, ()))
        if every is not None and value not in every:
            at = f"({', '.join(map(shown, args))})" if args else ""
            raise Rejected(
                f"the initial value {shown(value)} of {function.name}{at} is not one that it takes",
                definition.body.span,
                "change it, or the domain or the finiteness constraint",
            )
