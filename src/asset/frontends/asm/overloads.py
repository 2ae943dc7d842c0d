"""Functions and rules of one name that take different arguments: each but the first gets a name of its own.

What is written `f(a, b)` is then the function that takes two arguments, `f/2` in reports. Rules of a name that take as
many are told apart by the domains of their arguments, as far as the text tells these at once. What is not told apart is
reported where declarations are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from asset.frontends.asm import tree as t

Names = Mapping[tuple[str, int], str]
"""The names of those that are not the first of their name, by name and number of arguments."""

T = TypeVar("T")


def told_apart(machine: t.Machine) -> t.Machine:
    """The machine without names that stand for several functions or rules."""
    functions = _names((each.name, len(each.args)) for each in machine.functions)
    rules = _names((each.name, len(each.params)) for each in machine.rules)
    machine = _told_by_domains(machine)
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
        return t.changed(value, lambda node: replace(node, **self._name(node)))

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


# --- by domains ---------------------------------------------------------------------------------------------------


def _told_by_domains(machine: t.Machine) -> t.Machine:
    """The machine with names of their own for rules that differ in the domains of their parameters."""
    alike: dict[tuple[str, int], list[t.RuleDefinition]] = defaultdict(list)
    for rule in machine.rules:
        alike[rule.name, len(rule.params)].append(rule)
    several = {key: rules for key, rules in alike.items() if len(rules) > 1}
    if not several:
        return machine
    names = {rule.span: _name_of(rule) for rules in several.values() for rule in rules[1:]}
    domains = _Domains(machine)
    unclear = False

    def renamed(node: Any) -> Any:
        nonlocal unclear
        if isinstance(node, t.RuleDefinition) and node.span in names:
            return replace(node, name=names[node.span])
        if not isinstance(node, t.CallRule) or (node.name, len(node.args)) not in several:
            return node
        fitting = [rule for rule in several[node.name, len(node.args)] if domains.fit(node.args, rule)]
        unclear = unclear or len(fitting) != 1
        return replace(node, name=names.get(fitting[0].span, node.name)) if len(fitting) == 1 else node

    found = t.changed(machine, renamed)
    return machine if unclear else found


def _name_of(rule: t.RuleDefinition) -> str:
    return f"{rule.name}/{'/'.join(each.name if isinstance(each, t.Name) else '…' for each in rule.domains)}"


class _Domains:
    """Which domain a term is of, as far as its head says it."""

    _NUMBERS = frozenset({"Integer", "Natural", "Real"})

    def __init__(self, machine: t.Machine) -> None:
        self._of = {each.name: each.of for each in machine.domains if each.kind == "subset"}
        self._results = {(each.name, len(each.args)): each.result for each in machine.functions}
        self._constants = {each.name: d.name for d in machine.domains for each in d.constructors}

    def fit(self, args: Iterable[t.Term], rule: t.RuleDefinition) -> bool:
        """Whether the rule can be called with the arguments."""
        pairs = zip(args, rule.domains, strict=False)
        return len(rule.domains) == len(rule.params) and all(self._fits(arg, domain) for arg, domain in pairs)

    def _fits(self, arg: t.Term, domain: t.Term) -> bool:
        given = self._root(self._domain(arg))
        wanted = self._root(domain.name) if isinstance(domain, t.Name) else None
        return given is None or wanted is None or given == wanted

    def _domain(self, term: t.Term) -> str | None:
        match term:
            case t.Number() | t.Binary(op="-" | "*" | "quot" | "rem" | "^") | t.Unary(op="-"):
                return "Integer"
            case t.Binary(op="+", left=left):
                return self._domain(left)  # numbers, or texts
            case t.Truth() | t.Quantified() | t.Unary(op="not"):
                return "Boolean"
            case t.Binary(op="=" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or" | "xor" | "implies" | "iff"):
                return "Boolean"
            case t.Name(name=name) if name in self._constants:
                return self._constants[name]
            case t.Name(name=name) | t.Apply(name=name):
                result = self._results.get((name, len(term.args) if isinstance(term, t.Apply) else 0))
                return result.name if isinstance(result, t.TypeName) else None
        return None

    def _root(self, name: str | None) -> str | None:
        """The domain that it is part of: all numbers are alike."""
        of = self._of.get(name or "")
        while isinstance(of, t.TypeName):
            name, of = of.name, self._of.get(of.name)
        return "Integer" if name in self._NUMBERS else name
