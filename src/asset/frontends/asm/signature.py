"""The names of a machine: its domains, functions, constants and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import Element, Elements, Sort, Static
from asset.span import Span

STATIC = frozenset({"static"})
STORED = frozenset({"controlled", "out", "local", "shared"})


Allowed = Mapping[tuple[Static, ...], frozenset[Static]]
"""The values that a function may have, by its arguments."""


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

    @property
    def is_dynamic(self) -> bool:
        return self.category not in ("static", "derived")


@dataclass(frozen=True, slots=True)
class ConstructorInfo:
    kind: Elements
    arity: int


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
    agents: dict[str, t.CallRule] = field(default_factory=dict)
    """The rule that the agents of a domain run."""

    def text(self, term: t.Text) -> Element:
        """The element that a string or a character is."""
        quote = "'" if term.domain == "Char" else '"'
        return self.texts[term.domain].element(f"{quote}{term.text}{quote}")

    def is_fixed(self, name: str) -> bool:
        """Whether a name in a pattern stands for a value, rather than for whatever is there."""
        return (
            name.startswith("$") or name in self.constants or (name in self.functions and not self.functions[name].args)
        )

    def candidates(self) -> Mapping[str, object]:
        """What a misspelt name may have been meant to be."""
        return {**self.functions, **self.constants, **self.domains, **self.constructors, **self.rules}
