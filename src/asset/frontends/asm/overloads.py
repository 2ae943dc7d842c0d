"""Functions and rules of one name that take different numbers of arguments: each but the first gets a name of its own.

What is written `f(a, b)` is then the function that takes two arguments, `f/2` in reports. If two of a name take as many
arguments, they are told apart by nothing here, and that is said where declarations are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from asset.frontends.asm import tree as t

Names = Mapping[tuple[str, int], str]
"""The names of those that are not the first of their name, by name and number of arguments."""

T = TypeVar("T")


def told_apart(machine: t.Machine) -> t.Machine:
    """The machine without names that stand for several functions or rules."""
    functions = _names((each.name, len(each.args)) for each in machine.functions)
    rules = _names((each.name, len(each.params)) for each in machine.rules)
    return _Renaming(functions, rules).of(machine) if functions or rules else machine


def _names(declared: Iterable[tuple[str, int]]) -> Names:
    counts: dict[str, list[int]] = defaultdict(list)
    for name, count in declared:
        if count not in counts[name]:
            counts[name].append(count)
    return {(name, count): f"{name}/{count}" for name, found in counts.items() for count in found[1:]}


class _Renaming:
    def __init__(self, functions: Names, rules: Names) -> None:
        self._functions = functions
        self._rules = rules

    def of(self, value: T) -> T:
        """The same with new names, in all parts."""
        if isinstance(value, tuple):
            return type(value)(map(self.of, value))
        if not isinstance(value, t.Node | t.Machine) or not is_dataclass(value):
            return value
        parts: dict[str, Any] = {each.name: self.of(getattr(value, each.name)) for each in fields(value)}
        return replace(value, **parts | self._name(value))

    def _name(self, node: object) -> dict[str, str]:
        match node:
            case t.Name(name=name):
                return self._renamed(self._functions, name, 0)
            case t.Apply(name=name, args=args) | t.Function(name=name, args=args):
                return self._renamed(self._functions, name, len(args))
            case t.Definition(name=name, params=params) | t.Constraint(name=name, params=params):
                return self._renamed(self._functions, name, len(params))
            case t.CallRule(name=name, args=args) if (name, len(args)) in self._functions:
                return self._renamed(self._functions, name, len(args))
            case t.CallRule(name=name, args=args):
                return self._renamed(self._rules, name, len(args))
            case t.RuleDefinition(name=name, params=params):
                return self._renamed(self._rules, name, len(params))
        return {}

    @staticmethod
    def _renamed(names: Names, name: str, count: int) -> dict[str, str]:
        return {"name": names[name, count]} if (name, count) in names else {}
