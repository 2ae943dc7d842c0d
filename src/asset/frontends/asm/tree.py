"""The syntax tree of an abstract state machine, the same for both notations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, TypeVar, get_args

from asset.span import Span


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


# --- terms ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A variable, a function without arguments, a constant or a domain."""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int | Fraction


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Undef(Node):
    pass


@dataclass(frozen=True, slots=True)
class RuleTerm(Node):
    """`<<r_name>>`: a rule as a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string or a character: an element of that domain, which has those that the machine mentions."""

    text: str
    domain: str


@dataclass(frozen=True, slots=True)
class Wildcard(Node):
    """`_` in a pattern: anything."""


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A function of the machine or of the library, a constructor, or an operator of temporal logic."""

    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`not` or `-`."""

    op: str
    operand: Term


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Operators have the same names in both notations: `and or xor implies iff = != < <= > >= + - * / div mod ^`, and
    of sets `union intersect \\ in`. `quot` and `rem` are division that rounds towards zero."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SetDisplay(Node):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """The integers from `low` to `high`, or every `step`th of them."""

    low: Term
    high: Term
    step: Term | None = None


@dataclass(frozen=True, slots=True)
class SequenceDisplay(Node):
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class BagDisplay(Node):
    """`<a, b>`, or the elements of a set, each once."""

    items: tuple[Term, ...]
    of: Term | None = None


@dataclass(frozen=True, slots=True)
class MapDisplay(Node):
    pairs: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`x in D`; the pattern is a name, or a tuple of patterns."""

    pattern: Term
    domain: Term


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """The set of the elements for all values of the binders that satisfy the guard; with `value`, a map.

    `collects` is `set`, `bag` or `sequence`."""

    binders: tuple[Binder, ...]
    guard: Term | None
    element: Term
    value: Term | None = None
    collects: str = "set"


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`forall`, `exist` or `unique`."""

    quantifier: str
    binders: tuple[Binder, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class IfTerm(Node):
    test: Term
    then: Term
    orelse: Term | None


@dataclass(frozen=True, slots=True)
class CaseTerm(Node):
    """The term of the first pattern that the subject matches."""

    subject: Term
    arms: tuple[tuple[Term, Term], ...]
    otherwise: Term | None


@dataclass(frozen=True, slots=True)
class LetTerm(Node):
    bindings: tuple[tuple[Term, Term], ...]
    body: Term


Term = (
    Name
    | Number
    | Truth
    | Undef
    | Text
    | RuleTerm
    | Wildcard
    | Apply
    | Unary
    | Binary
    | Tuple
    | SetDisplay
    | Interval
    | SequenceDisplay
    | BagDisplay
    | MapDisplay
    | Comprehension
    | Quantified
    | IfTerm
    | CaseTerm
    | LetTerm
)


# --- rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skip(Node):
    pass


@dataclass(frozen=True, slots=True)
class Update(Node):
    location: Name | Apply
    value: Term


@dataclass(frozen=True, slots=True)
class Block(Node):
    """All at once."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class SequenceRule(Node):
    """One after the other, in one step: each sees the updates of those before it."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class LocalsRule(Node):
    """One after the other, with functions of which nobody else sees what they are."""

    functions: tuple[Function, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class IfRule(Node):
    test: Term
    then: Rule
    orelse: Rule | None


@dataclass(frozen=True, slots=True)
class CaseRule(Node):
    subject: Term
    arms: tuple[tuple[Term, Rule], ...]
    otherwise: Rule | None


@dataclass(frozen=True, slots=True)
class ForallRule(Node):
    binders: tuple[Binder, ...]
    guard: Term | None
    body: Rule


@dataclass(frozen=True, slots=True)
class ChooseRule(Node):
    binders: tuple[Binder, ...]
    guard: Term | None
    body: Rule
    otherwise: Rule | None


@dataclass(frozen=True, slots=True)
class LetRule(Node):
    bindings: tuple[tuple[Term, Term], ...]
    body: Rule


@dataclass(frozen=True, slots=True)
class ExtendRule(Node):
    """New elements of a domain get the names."""

    domain: str
    names: tuple[str, ...]
    body: Rule


@dataclass(frozen=True, slots=True)
class RoundsRule(Node):
    """Again and again, in one step, each round seeing the updates of those before it: until one updates nothing, and
    while the test holds, if there is one."""

    test: Term | None
    body: Rule


@dataclass(frozen=True, slots=True)
class TryRule(Node):
    """The rule, unless it gives one of the locations two values at once: then the other one."""

    rule: Rule
    locations: tuple[Name | Apply, ...]
    otherwise: Rule


@dataclass(frozen=True, slots=True)
class CallRule(Node):
    """`r_name[…]`: the arguments are put in the place of the parameters. `r_name(…)` evaluates them before."""

    name: str
    args: tuple[Term, ...]
    by_value: bool = False


@dataclass(frozen=True, slots=True)
class FireRule(Node):
    """The rule that is the value of a term, with arguments."""

    rule: Term
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ReturnRule(Node):
    """`location <- rule(…)`: the location gets what the rule makes of `result`."""

    location: Name | Apply
    call: CallRule


Rule = (
    Skip
    | Update
    | Block
    | SequenceRule
    | LocalsRule
    | IfRule
    | CaseRule
    | ForallRule
    | ChooseRule
    | LetRule
    | ExtendRule
    | RoundsRule
    | TryRule
    | CallRule
    | FireRule
    | ReturnRule
)
RULES = get_args(Rule)


# --- declarations -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    name: str


@dataclass(frozen=True, slots=True)
class TypeOf(Node):
    """A type made of others: `Prod`, `Powerset`, `Seq`, `Map`, `Bag` or `Rule`."""

    maker: str
    parts: tuple[TypeExpr, ...]


TypeExpr = TypeName | TypeOf


@dataclass(frozen=True, slots=True)
class Constructor(Node):
    """A value of an enumeration, or if it has a type, one for each value of that."""

    name: str
    of: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Domain(Node):
    """`enum` has constructors, `abstract` has none, `subset` is part of `of`, `alias` is another name of it, and `any`
    stands for whatever domain."""

    name: str
    kind: str
    constructors: tuple[Constructor, ...] = ()
    of: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Function(Node):
    """`category`: static, derived, controlled, monitored, shared, out or local."""

    name: str
    category: str
    args: tuple[TypeExpr, ...]
    result: TypeExpr | None


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """What a function is, for all values of its parameters; of a domain, its elements."""

    name: str
    params: tuple[Binder, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class Constraint(Node):
    """A finiteness constraint: the values of a function are in the set, which may depend on the arguments.

    A parameter is bound to a set too if the domain of the argument is not finite; else its domain is a wildcard. Of
    sequences, `length` bounds the length.
    """

    name: str
    params: tuple[Binder, ...]
    values: Term


@dataclass(frozen=True, slots=True)
class RuleDefinition(Node):
    name: str
    params: tuple[Term, ...]
    body: Rule
    returns: bool = False
    """Whether it has a result."""
    domains: tuple[Term, ...] = ()
    """Of the parameters, if they are said."""


@dataclass(frozen=True, slots=True)
class Agents(Node):
    """The agents of a domain run a rule."""

    domain: str
    rule: CallRule


@dataclass(frozen=True, slots=True)
class Specification(Node):
    """`invariant`, `ctl`, `ltl`, `justice`, `compassion`, or `always`: other states are left out."""

    kind: str
    name: str | None
    term: Term


@dataclass(frozen=True, slots=True)
class Initial(Node):
    """A way to begin."""

    name: str
    default: bool
    domains: tuple[Definition, ...]
    functions: tuple[Definition, ...]
    agents: tuple[Agents, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as it is written; a module has no main rule."""

    name: str
    span: Span
    domains: tuple[Domain, ...]
    functions: tuple[Function, ...]
    definitions: tuple[Definition, ...]
    """Of functions and of domains."""
    constraints: tuple[Constraint, ...]
    rules: tuple[RuleDefinition, ...]
    specifications: tuple[Specification, ...]
    initials: tuple[Initial, ...]
    main: str | None
    imports: tuple[tuple[str, Span], ...] = ()


# --- walking ------------------------------------------------------------------------------------------------------


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of the text."""
    for each in fields(node):
        yield from _nodes(getattr(node, each.name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


def walk(*roots: Node) -> Iterator[Node]:
    """Every node below the roots, each before its parts."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(parts(node))))


T = TypeVar("T")


def changed(value: T, change: Callable[[Any], Any]) -> T:
    """The same, with what `change` makes of each node in its place, of the parts before the whole."""
    if isinstance(value, tuple):
        return type(value)(changed(each, change) for each in value)
    if not isinstance(value, Node | Machine):
        return value
    parts_: dict[str, Any] = {each.name: changed(getattr(value, each.name), change) for each in fields(value)}
    made: T = change(replace(value, **parts_))
    return made
