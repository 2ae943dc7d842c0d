"""Functions and rules of one name that take different arguments: each but the first gets a name of its own.

What is written `f(a, b)` is then the function that takes two arguments, `f/2` in reports. Those of a name that take as
many are told apart by the domains of their arguments, as far as the text tells these at once: `f/Door` in reports. What
is not told apart is reported where declarations are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
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


Declared = t.Function | t.RuleDefinition
Variables = Mapping[str, str | None]
"""The domains of variables; None if it is not clear which."""


def _told_by_domains(machine: t.Machine) -> t.Machine:
    """The machine with names of their own for functions and rules that differ in the domains of their arguments."""
    several = _Several(machine)
    if not several.functions and not several.rules:
        return machine
    found = several.told_apart()
    return machine if several.unclear else found


class _Several:
    """The functions and the rules that have a name and a number of arguments in common with others."""

    def __init__(self, machine: t.Machine) -> None:
        self._machine = machine
        self._domains = _Domains(machine)
        self.functions = _alike(machine.functions, lambda each: len(each.args))
        self.rules = _alike(machine.rules, lambda each: len(each.params))
        alike: list[Sequence[Declared]] = [*self.functions.values(), *self.rules.values()]
        self._names = {each.span: _name_of(each) for group in alike for each in group[1:]}
        self.unclear = any(len(set(map(_domains_of, group))) < len(group) for group in alike)

    def told_apart(self) -> t.Machine:
        machine = self._machine
        initials = tuple(replace(each, functions=self._in_each(each.functions)) for each in machine.initials)
        return replace(
            machine,
            functions=tuple(map(self._declared, machine.functions)),
            rules=self._in_each(tuple(map(self._declared, machine.rules))),
            definitions=self._in_each(machine.definitions),
            specifications=self._in_each(machine.specifications),
            initials=initials,
        )

    def _declared(self, declared: D) -> D:
        return replace(declared, name=self._names.get(declared.span, declared.name))

    def _in_each(self, declarations: tuple[N, ...]) -> tuple[N, ...]:
        """The same with new names, in all parts; each has variables of its own."""
        return tuple(self._in(each, self._domains.of_variables(each)) for each in declarations)

    def _in(self, declaration: N, variables: Variables) -> N:
        def renamed(node: Any) -> Any:
            match node:
                case t.CallRule(name=name, args=args) if (name, len(args)) in self.rules:
                    return self._meant(node, self.rules[name, len(args)], args, variables)
                case t.Apply(name=name, args=args) if (name, len(args)) in self.functions:
                    return self._meant(node, self.functions[name, len(args)], args, variables)
                case t.Definition(name=name, params=params) if (name, len(params)) in self.functions:
                    given = tuple(each.pattern for each in params)
                    return self._meant(node, self.functions[name, len(params)], given, variables)
            return node

        return t.changed(declaration, renamed)

    def _meant(self, node: Any, alike: Sequence[Declared], args: tuple[t.Term, ...], variables: Variables) -> Any:
        """The node with the name of the one that takes these arguments: certainly, or else possibly."""
        given = [self._domains.domain(arg, variables) for arg in args]
        for fit in (self._domains.are_in, self._domains.may_be_in):
            fitting = [each for each in alike if fit(given, _domains_of(each))]
            if len(fitting) == 1:
                return replace(node, name=self._names.get(fitting[0].span, node.name))
        self.unclear = True
        return node


D = TypeVar("D", t.Function, t.RuleDefinition)
N = TypeVar("N", t.RuleDefinition, t.Definition, t.Specification)


def _alike(declared: Iterable[D], count: Callable[[D], int]) -> dict[tuple[str, int], list[D]]:
    found: dict[tuple[str, int], list[D]] = defaultdict(list)
    for each in declared:
        found[each.name, count(each)].append(each)
    return {key: group for key, group in found.items() if len(group) > 1}


def _domains_of(declared: Declared) -> tuple[str, ...]:
    """The domains of the arguments, as they are written."""
    if isinstance(declared, t.Function):
        return tuple(map(_shown, declared.args))
    return tuple(map(_written, declared.domains))


def _name_of(declared: Declared) -> str:
    return f"{declared.name}/{'/'.join(_domains_of(declared))}"


class _Domains:
    """Which domain a term is of, as far as its head says it."""

    _NUMBERS = frozenset({"Integer", "Natural", "Real"})

    def __init__(self, machine: t.Machine) -> None:
        self._of = {each.name: each.of for each in machine.domains if each.kind == "subset"}
        self._constants = {each.name: d.name for d in machine.domains for each in d.constructors}
        self._results: dict[tuple[str, int], t.TypeExpr | None] = {}
        for each in machine.functions:
            key = (each.name, len(each.args))
            same = key not in self._results or _shown(self._results[key]) == _shown(each.result)
            self._results[key] = each.result if same else None

    def are_in(self, given: Sequence[str | None], wanted: Sequence[str]) -> bool:
        """Whether values of these domains are values of those."""
        pairs = list(zip(given, wanted, strict=False))
        return len(given) == len(wanted) and all(a is not None and b in self._above(a) for a, b in pairs)

    def may_be_in(self, given: Sequence[str | None], wanted: Sequence[str]) -> bool:
        """Whether they may be, as far as the text tells."""
        pairs = zip(given, wanted, strict=False)
        return len(given) == len(wanted) and all(a is None or self._root(a) == self._root(b) for a, b in pairs)

    def of_variables(self, declaration: t.Node) -> Variables:
        """Those that the declaration binds somewhere."""
        found: dict[str, str | None] = {}

        def note(pattern: t.Term | str, domain: str | None) -> None:
            name = pattern.name if isinstance(pattern, t.Name) else pattern
            if isinstance(name, str):
                found[name] = domain if found.get(name, domain) == domain else None

        for node in t.walk(declaration):
            match node:
                case t.Binder(pattern=pattern, domain=domain):
                    note(pattern, self._element(domain))
                case t.RuleDefinition(params=params, domains=domains):
                    for param, each in zip(params, domains, strict=False):
                        note(param, _written(each))
                case t.LetTerm(bindings=bindings) | t.LetRule(bindings=bindings):
                    for pattern, value in bindings:
                        note(pattern, self.domain(value, found))
                case t.ExtendRule(domain=name, names=names):
                    for variable in names:
                        note(variable, name)
        return found

    def _element(self, domain: t.Term) -> str | None:
        """Of what domain the elements of a set are."""
        result = self._result(domain)
        if isinstance(result, t.TypeOf) and len(result.parts) == 1:
            return _shown(result.parts[0])
        if isinstance(domain, t.Interval):
            return "Integer"
        is_domain = isinstance(domain, t.Name | t.Apply) and result is None and not _written(domain).startswith("$")
        return _written(domain) if is_domain else None

    def _result(self, term: t.Term) -> t.TypeExpr | None:
        match term:
            case t.Name(name=name):
                return self._results.get((name, 0))
            case t.Apply(name=name, args=args):
                return self._results.get((name, len(args)))
        return None

    def domain(self, term: t.Term, variables: Variables) -> str | None:
        match term:
            case t.Number() | t.Binary(op="-" | "*" | "quot" | "rem" | "^") | t.Unary(op="-"):
                return "Integer"
            case t.Binary(op="+", left=left):
                return self.domain(left, variables)  # numbers, or texts
            case t.Text(domain=domain):
                return domain
            case t.Truth() | t.Quantified() | t.Unary(op="not"):
                return "Boolean"
            case t.Binary(op="=" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or" | "xor" | "implies" | "iff"):
                return "Boolean"
            case t.Name(name=name) if name in variables:
                return variables[name]
            case t.Name(name=name) if name in self._constants:
                return self._constants[name]
        result = self._result(term)
        return None if result is None else _shown(result)

    def _above(self, name: str) -> list[str]:
        """The domain, and those that it is part of: all numbers are alike."""
        found = [name]
        while (of := self._of.get(found[-1])) is not None and _shown(of) not in found:
            found.append(_shown(of))
        return [*found, *self._NUMBERS] if found[-1] in self._NUMBERS else found

    def _root(self, name: str) -> str:
        return "Integer" if "Integer" in self._above(name) else self._above(name)[-1]


def _shown(type_: t.TypeExpr | None) -> str:
    match type_:
        case t.TypeName(name=name):
            return name
        case t.TypeOf(maker=maker, parts=parts):
            return f"{maker}({', '.join(map(_shown, parts))})"
    return ""


def _written(domain: t.Term) -> str:
    """The same of a domain that is a term."""
    match domain:
        case t.Name(name=name):
            return name
        case t.Apply(name=name, args=args):
            return f"{name}({', '.join(map(_written, args))})"
    return "…"
