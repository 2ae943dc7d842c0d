"""The names of a machine: its domains, functions, constants and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import (
    UNDEFINED,
    Element,
    Elements,
    Kind,
    ScalarSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    values_of,
)
from asset.frontends.asm.static_library import in_library
from asset.span import Span

STORED = frozenset({"controlled", "out", "local", "shared"})


Allowed = Mapping[tuple[Static, ...], frozenset[Static]]
"""The values that a function may have, by its arguments."""


_TRUTHS = ("Boolean", "BOOL")
_OF_TRUTHS = ("=", "!=", "<", "<=", ">", ">=", "in", "and", "or", "xor", "implies", "iff")
_BRANCHING = frozenset({"ag", "af", "ax", "eg", "ef", "ex", "au", "eu", "a", "e"})
_OPERATORS_OF_TIME = _BRANCHING | {"g", "f", "x", "u", "v", "w", "r", "o", "h", "y", "z", "s", "t"}


@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """A function with its sorts. `result` is None if nothing but its definition says what it is."""

    name: str
    category: str
    span: Span
    args: tuple[Sort, ...]
    result: Sort | None
    definition: t.Definition | None = None
    allowed: Allowed | None = None
    """None if every value of the sort is one that the function may have, whatever its arguments are."""
    bounded: frozenset[int] = frozenset()
    """The scalar parts of the arguments that are finite only because a constraint says so."""
    elsewhere: Static = UNDEFINED
    """What the function is for arguments outside their domains: no location was ever set there."""
    left_open: bool = False
    """Whether the environment may leave it without a value: the machine asks whether it has one."""

    @property
    def inputs(self) -> tuple[Static, ...] | None:
        """What the environment may make of a location; None if that is too much."""
        every = None if self.result is None else values_of(self.result)
        return (*every, UNDEFINED) if every and self.left_open else every

    @property
    def is_dynamic(self) -> bool:
        return self.category not in ("static", "derived")


@dataclass(frozen=True, slots=True)
class ConstructorInfo:
    kind: Elements
    arity: int


@dataclass(frozen=True, slots=True)
class Growing:
    """A domain that rules extend: its new elements are those from code `first` on, at most `size` of them."""

    domain: str
    first: int
    size: int

    @property
    def counter(self) -> str:
        """The location that says how many of them there are. No function of a machine has a blank in its name."""
        return f"new {self.domain}"


@dataclass
class Signature:
    """All that is declared, by name. It grows while declarations are read."""

    machine: t.Machine
    domains: dict[str, Sort] = field(default_factory=dict)
    constants: dict[str, Element] = field(default_factory=dict)
    constructors: dict[str, ConstructorInfo] = field(default_factory=dict)
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    rules: dict[str, t.RuleDefinition] = field(default_factory=dict)
    texts: dict[str, Elements] = field(default_factory=lambda: {name: Elements(name) for name in ("String", "Char")})
    """Strings and characters: those that the machine mentions."""
    rules_as_values: Elements = field(default_factory=lambda: Elements("Rule"))
    """The rules that are values: those that the machine mentions as `<<r_name>>`."""
    growing: dict[str, Growing] = field(default_factory=dict)
    """The domains that rules extend."""
    complete: bool = False
    """Whether all declarations were read, so that there are no further texts."""
    faulty: set[str] = field(default_factory=set)
    """What is declared, but wrong: it was reported, and what uses it is not."""
    unread: dict[str, t.Function] = field(default_factory=dict)
    """Outputs that are not finite. Nothing reads them, so they are not stored."""
    agents: dict[str, t.CallRule] = field(default_factory=dict)
    """The rule that the agents of a domain run."""
    history: frozenset[str] = frozenset()
    """The functions that remember what was, for operators of the past."""

    def text(self, term: t.Text) -> Element:
        """The element that a string or a character is."""
        quote = "'" if term.domain == "Char" else '"'
        return self.texts[term.domain].element(f"{quote}{term.text}{quote}")

    @property
    def rule_values(self) -> list[str]:
        """The names of the rules that are values."""
        return [name.strip("<>") for name, _ in self.rules_as_values.known]

    def rule_of(self, code: int) -> str:
        return self.rule_values[code]

    def rule_code(self, name: str) -> int:
        return self.rules_as_values.known[f"<<{name}>>", ()]

    def rule_value(self, term: t.RuleTerm) -> Element:
        return self.rules_as_values.element(f"<<{term.name}>>")

    def changes(self, domain: str) -> bool:
        """Whether the domain gets new elements, or one that is part of it does."""
        return bool(self.growing_parts(domain))

    def growing_parts(self, domain: str) -> list[Growing]:
        """The domains with new elements that are part of the domain."""
        sort = self.domains.get(domain)
        if not isinstance(sort, ScalarSort) or sort.codes is None:
            return []
        parts = [each for each in self.growing.values() if self.kind_of(each) is sort.kind]
        return [each for each in parts if each.first in sort.codes]

    def is_reserved(self, element: Element) -> bool:
        """Whether the element does not exist initially."""
        return any(
            self.kind_of(each) is element.kind and each.first <= element.code < each.first + each.size
            for each in self.growing.values()
        )

    def domain_of(self, term: t.Apply) -> Sort | None:
        """The domain that is made of others, as `Powerset(D)`; None if the term is something else."""
        parts = [self._domain(each) for each in term.args]
        known = [each for each in parts if each is not None]
        if term.name in self.functions or len(known) < len(parts):
            return None
        match term.name, known:
            case "Prod", _:
                return TupleSort(tuple(known))
            case "Powerset", (of,):
                return SetSort(of)
        return None

    def _domain(self, term: t.Term) -> Sort | None:
        match term:
            case t.Name(name=name) if not self.changes(name):
                return self.domains.get(name)
            case t.Apply():
                return self.domain_of(term)
        return None

    def kind_of(self, growing: Growing) -> Kind:
        sort = self.domains[growing.domain]
        assert isinstance(sort, ScalarSort)
        return sort.kind

    def is_own(self, name: str, args: int) -> bool:
        """Whether the machine declares a function of the name, rather than calling one of the library.

        A function of the library that takes so many arguments is meant if the machine's own takes none."""
        if name not in self.functions:
            return False
        declared = next((each for each in self.machine.functions if each.name == name), None)
        return declared is None or not args or bool(declared.args) or not in_library(name, args)

    def is_operator(self, term: t.Apply) -> bool:
        """Whether its name, that of an operator of temporal logic, means that: the machine has no such function, or
        none that takes arguments, or the arguments are formulas, and it does not take these."""
        declared = next((each for each in self.machine.functions if each.name == term.name), None)
        if declared is None or term.name not in self.functions:
            return term.name not in (*self.functions, *self.faulty)
        if not declared.args:
            return True
        truths = any(isinstance(each, t.TypeName) and each.name in _TRUTHS for each in declared.args)
        return not truths and all(map(self._is_formula, term.args))

    def _is_formula(self, term: t.Term) -> bool:
        match term:
            case t.Truth() | t.Quantified() | t.Unary(op="not"):
                return True
            case t.Binary(op=op):
                return op in _OF_TRUTHS
            case t.Apply(name=name):
                return name in _OPERATORS_OF_TIME and self.is_operator(term)
        return False

    def is_fixed(self, name: str) -> bool:
        """Whether a name in a pattern stands for a value, rather than for whatever is there."""
        return (
            name.startswith("$") or name in self.constants or (name in self.functions and not self.functions[name].args)
        )

    def candidates(self) -> Mapping[str, object]:
        """What a misspelt name may have been meant to be."""
        return {**self.functions, **self.constants, **self.domains, **self.constructors, **self.rules}
