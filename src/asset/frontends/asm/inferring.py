"""Which numbers a function can have, if the text tells: then nobody need say it in a finiteness constraint.

Where a number can come from is followed without regard to when: from initial values, updates, arguments and sets to the
functions and variables that get it, until nothing is added. What may get any number, or ever more of them, stays
unbounded. What is found is a constraint like others, so an update that leaves it would be seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any, TypeVar

from asset.frontends.asm import tree as t
from asset.frontends.asm.arithmetic import ROUND
from asset.frontends.asm.comparing import Comparing
from asset.frontends.asm.declarations import argument_of
from asset.frontends.asm.kinds import magnitude, reduced
from asset.span import Span

MOST, ROUNDS = 1_000, 64
"""How many numbers a function may have, and how often they are gathered before what still grows is given up."""

T = TypeVar("T")
Number = int | Fraction
Numbers = frozenset[Number] | None
"""None if it can be any number."""

NONE: Numbers = frozenset()
_INPUTS = ("monitored", "shared")
_DYNAMIC = ("controlled", "local", *_INPUTS)
_WHOLE = frozenset({"Integer", "Natural", "INT"})
_BASIC = _WHOLE | {"Real", "FLOAT"}
_OTHERS = frozenset({"Boolean", "BOOL", "String", "STRING", "Char", "Agent", "Reserve", "Rule"})
_OPERATIONS: Mapping[str, Callable[[Any, Any], int | Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "max": max,
    "min": min,
    "/": lambda a, b: Fraction(a) / b if b else 0,
}
_NAMED_OPERATIONS = {"plus": "+", "minus": "-", "mult": "*", "div": "/", "max": "max", "min": "min"}
_OF_THEIR_ARGUMENTS = frozenset(
    {"including", "excluding", "append", "prepend", "insertAt", "replaceAt", "union", "intersect", "difference"}
    | {"asSet", "asSequence", "asBag", "first", "last", "tail", "at", "subSequence", "chooseone"}
    | {"min", "max", "iton", "ntoi", "itor", "MAP_TO_FUN", "SET_TO_REL", "Union"}
)
"""Functions of the library whose result has no numbers but those of the arguments."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """The machine with constraints for functions that had none and need one. `told` are those of which the text gives
    all values, `compared` inputs that are only compared, and take some values in the place of all."""

    machine: t.Machine
    told: tuple[str, ...]
    compared: tuple[str, ...]


def with_bounds(machine: t.Machine) -> Bounded:
    """The machine with what its text tells of functions that have no constraint and need one."""
    flow = _Flow(machine)
    flow.settle()
    found = tuple(each for function in machine.functions if (each := flow.constraint(function)) is not None)
    lengths = tuple(each for function in machine.functions if (each := flow.length(function)) is not None)
    compared = tuple(each.name for each in found if each.name in flow.compared)
    told = tuple(each.name for each in found if each.name not in flow.compared)
    return Bounded(replace(machine, constraints=(*machine.constraints, *found, *lengths)), told, compared)


class _Flow:
    """What flows to each function, `f`, and to its arguments, `(f, 0)`, and to each variable, `$x`."""

    def __init__(self, machine: t.Machine) -> None:
        self._machine = machine = _told_apart(machine)
        self._functions = {each.name: each for each in machine.functions}
        self._domains = _OTHERS | {each.name for each in machine.domains}
        self._subsets = {each.name: each.of for each in machine.domains if each.kind == "subset"}
        self._elements = {each.name: each.body for each in machine.definitions if each.name in self._subsets}
        self._elements |= {each.name: each.body for one in machine.initials for each in one.domains}
        self._rules = {each.name: each for each in machine.rules}
        self._constants = {each.name for domain in machine.domains for each in domain.constructors}
        self._bounds = {each.name: each.values for each in machine.constraints if not each.params}
        self._sources: dict[object, list[t.Term]] = defaultdict(list)
        """The terms whose values a function, an argument or a variable gets."""
        self._known: dict[object, Numbers] = {}
        self._any: set[object] = set()
        """What gets values that are no terms."""
        parts = (*machine.definitions, *machine.rules, *machine.constraints, *machine.initials)
        self._fractions = any(map(_makes_fractions, t.walk(*parts)))
        """Whether there are numbers that are no integers."""
        self.compared: set[str] = set()
        """The inputs that are only compared, of those that were asked for."""
        self._gather()

    # --- sources ----------------------------------------------------------------------------------------------------

    def _gather(self) -> None:
        machine = self._machine
        for definition in (*machine.definitions, *(each for one in machine.initials for each in one.functions)):
            self._sources[definition.name].append(definition.body)
            for at, binder in enumerate(definition.params):
                self._binder(binder)
                if isinstance(binder.pattern, t.Name) and self._numbers_of(binder.domain) is None:
                    self._sources[binder.pattern.name].append(_argument(binder.span, definition.name, at))
                else:
                    self._sources[definition.name, at].append(binder.pattern)
        parts = (*machine.definitions, *machine.rules, *machine.specifications, *machine.initials)
        for node in t.walk(*parts):
            self._node(node)

    def _node(self, node: t.Node) -> None:
        match node:
            case t.Update(location=location, value=value):
                self._sources[location.name].append(value)
                if location.name.startswith("$"):
                    self._any |= self._passed()
            case t.ReturnRule(location=location):
                self._any.add(location.name)
            case t.Apply(name=name, args=args) | t.CallRule(name=name, args=args) if name not in self._rules:
                for at, arg in enumerate(args):
                    self._sources[name, at].append(arg)
            case t.Quantified(binders=binders) | t.Comprehension(binders=binders):
                self._bound(binders)
            case t.ForallRule(binders=binders) | t.ChooseRule(binders=binders):
                self._bound(binders)
            case t.LetTerm(bindings=bindings) | t.LetRule(bindings=bindings):
                for pattern, value in bindings:
                    self._pattern(pattern, value)
            case t.CallRule(name=name, args=args) if name in self._rules:
                for pattern, arg in zip(self._rules[name].params, args, strict=False):
                    self._pattern(pattern, arg)
            case t.RuleTerm(name=name) if name in self._rules:
                self._any |= {each.name for each in self._rules[name].params if isinstance(each, t.Name)}

    def _passed(self) -> set[object]:
        """The functions that rules are given as locations."""
        calls = (each for each in t.walk(*self._machine.rules) if isinstance(each, t.CallRule | t.FireRule))
        return {arg.name for call in calls for arg in call.args if isinstance(arg, t.Name | t.Apply)}

    def _bound(self, binders: Iterable[t.Binder]) -> None:
        for binder in binders:
            self._binder(binder)
            if self._numbers_of(binder.domain) is None:
                self._pattern(binder.pattern, binder.domain)

    def _binder(self, binder: t.Binder) -> None:
        numbers = self._numbers_of(binder.domain)
        if isinstance(binder.pattern, t.Name) and numbers is not None:
            items = tuple(t.Number(binder.span, each) for each in sorted(numbers))
            self._sources[binder.pattern.name].append(t.SetDisplay(binder.span, items))

    def _pattern(self, pattern: t.Term, value: t.Term) -> None:
        if isinstance(pattern, t.Name):
            self._sources[pattern.name].append(value)
        else:
            self._any |= {each.name for each in t.walk(pattern) if isinstance(each, t.Name)}

    def _numbers_of(self, domain: t.Term) -> Numbers:
        """The numbers in a domain or a set, if they are written there."""
        match domain:
            case t.Name(name=name) if name in self._elements:
                return self._numbers_of(self._elements[name])
            case t.Name(name=name) if isinstance(of := self._subsets.get(name), t.TypeName):
                return self._numbers_of(t.Name(of.span, of.name))
            case t.Name(name=name):
                return NONE if name in self._domains else None
            case t.SetDisplay(items=items):
                return _united(map(self._constant, items))
            case t.Interval(low=low, high=high, step=step):
                first, last = self._constant(low), self._constant(high)
                by = frozenset({1}) if step is None else self._constant(step)
                return _between(first, last, *by) if first and last and by and len(by) == 1 else None
        return None

    def _constant(self, term: t.Term) -> Numbers:
        """The value of a number, or of a function that is one."""
        match term:
            case t.Number(value=value):
                return frozenset({value})
            case t.Unary(op="-", operand=operand):
                inner = self._constant(operand)
                return None if inner is None else frozenset(-each for each in inner)
            case t.Name(name=name):
                bodies = [each.body for each in self._machine.definitions if each.name == name]
                return self._constant(bodies[0]) if bodies and name not in self._subsets else None
        return None

    # --- values -----------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Gathers numbers until there are no more; what grows on and on can be any number."""
        for number in range(ROUNDS * 2 + len(self._sources)):
            grown = list(self._grown())
            if not grown:
                return
            for key, numbers in grown:
                self._known[key] = None if number >= ROUNDS else numbers

    def _grown(self) -> Iterator[tuple[object, Numbers]]:
        for key, terms in self._sources.items():
            before = self._at(key)
            after = None if key in self._any else _united((before, *map(self.values, terms)))
            if after is not None and len(after) > MOST:
                after = None
            if after != before:
                yield key, after

    def _at(self, key: object) -> Numbers:
        return None if key in self._any else self._known.get(key, NONE)

    def values(self, term: t.Term) -> Numbers:
        match term:
            case t.Number(value=value):
                return frozenset({value})
            case t.Undef() | t.Truth() | t.Text() | t.RuleTerm():
                return NONE
            case t.SetDisplay(items=items) | t.SequenceDisplay(items=items) | t.BagDisplay(items=items, of=None):
                return _united(map(self.values, items))
            case t.MapDisplay(pairs=pairs):
                return _united(self.values(value) for _, value in pairs)
            case t.Interval(low=low, high=high, step=None):
                return _between(self.values(low), self.values(high))
            case t.Comprehension(element=element, value=value):
                return self.values(element if value is None else value)
            case t.Unary(op="-", operand=operand):
                inner = self.values(operand)
                return None if inner is None else frozenset(-each for each in inner)
            case t.Binary(op=op, left=left, right=right) if op in _OPERATIONS:
                return _combined(op, self.values(left), self.values(right))
            case t.Binary(op="rem", right=right):
                return _remainders(self.values(right))
            case t.Binary(op="quot" | "div", left=left, right=right) | t.Apply(name="idiv", args=(left, right)):
                return _quotients(self.values(left), self._least_divisor(right))
            case t.Apply(name="mod", args=(_, right)):
                return _remainders(self.values(right))
            case t.Apply(name="argument of", args=(t.Name(name=name), t.Number(value=at))):
                return self._at((name, at))
            case t.IfTerm(then=then, orelse=orelse):
                return _united((self.values(then), NONE if orelse is None else self.values(orelse)))
            case t.CaseTerm(arms=arms, otherwise=otherwise):
                last = NONE if otherwise is None else self.values(otherwise)
                return _united((last, *(self.values(arm) for _, arm in arms)))
            case t.LetTerm(body=body):
                return self.values(body)
            case t.Apply(name=name, args=args) if name not in self._functions:
                return self._of_library(name, args)
            case t.Name(name=name) | t.Apply(name=name):
                return self._named(name)
        return None

    def _of_library(self, name: str, args: tuple[t.Term, ...]) -> Numbers:
        """What an element with arguments is, or what a function of the standard library gives."""
        if name in self._constants:
            return NONE
        if name in _NAMED_OPERATIONS and len(args) == 2:
            return _combined(_NAMED_OPERATIONS[name], *map(self.values, args))
        if name in ROUND and len(args) == 1:
            inner = self.values(args[0])
            return None if inner is None else frozenset(ROUND[name](Fraction(each)) for each in inner)
        return _united(map(self.values, args)) if name in _OF_THEIR_ARGUMENTS else None

    def _named(self, name: str) -> Numbers:
        function = self._functions.get(name)
        if function is None:
            return NONE if name in self._constants else self._at(name) if name in self._sources else None
        if name in self._bounds and (bound := self._numbers_of(self._bounds[name])) is not None:
            return bound
        if isinstance(function.result, t.TypeName):
            numbers = self._numbers_of(t.Name(function.span, function.result.name))
            if numbers is not None:
                return numbers
        return None if function.category in _INPUTS else self._at(name)

    def _least_divisor(self, term: t.Term) -> Number | None:
        """How near to 0 a divisor may be: an integer no nearer than 1."""
        if not self._fractions:
            return 1
        found = self.values(term)
        return None if found is None else min((magnitude(each) for each in found if each), default=1)

    # --- what was found ---------------------------------------------------------------------------------------------

    def constraint(self, function: t.Function) -> t.Constraint | None:
        """What the text tells of a function that may have infinitely many values or arguments, and is not said."""
        said = [each for each in self._machine.constraints if each.name == function.name]
        told = any(not isinstance(param.domain, t.Wildcard) for each in said for param in each.params)
        if function.category not in _DYNAMIC or function.result is None or told:
            return None
        params, values = self._params(function), None
        if not said and self._is_open(_elements_of(function.result)):
            values = self._of_domain(self._named(function.name), _elements_of(function.result))
            if values is None and function.category == "monitored" and isinstance(function.result, t.TypeName):
                values = self._enough(function, function.result)
        if params is None or (not params and values is None):
            return None
        span = function.span
        shown = t.Wildcard(span) if values is None else _display(span, values or frozenset({0}))
        return t.Constraint(span, function.name, params, shown)

    def _of_domain(self, numbers: Numbers, type_: t.TypeExpr | None) -> Numbers:
        """Without fractions, if they are to be integers: to get one is a violation of the range then."""
        while isinstance(type_, t.TypeName) and type_.name in self._subsets:
            type_ = self._subsets[type_.name]
        if numbers is None or not isinstance(type_, t.TypeName) or type_.name not in _WHOLE:
            return numbers
        return frozenset(each for each in numbers if each.denominator == 1)

    def _enough(self, function: t.Function, result: t.TypeName) -> Numbers:
        """Numbers that stand for all that an input can be. A real number may also be between two neighbours."""
        least = {"Integer": None, "INT": None, "Real": None, "Natural": 0}
        if result.name not in least or function.name in self._any:
            return None
        found = Comparing(self._machine, self.values).enough(function.name, least[result.name], result.name == "Real")
        said = _united(map(self.values, self._sources.get(function.name, ())))
        if found is None or said is None:
            return None
        self.compared.add(function.name)
        return found | said

    def length(self, function: t.Function) -> t.Constraint | None:
        """How long its sequences can be, if all that it gets are written out."""
        sequences = isinstance(function.result, t.TypeOf) and function.result.maker == "Seq"
        said = any(each.name == "length" and argument_of(each) == function.name for each in self._machine.constraints)
        if not sequences or said or function.category not in _DYNAMIC or function.category in _INPUTS:
            return None
        longest = self._longest(function.name, frozenset())
        if longest is None:
            return None
        span = function.span
        of = t.Binder(span, t.Name(span, function.name), t.Wildcard(span))
        return t.Constraint(span, "length", (of,), _display(span, frozenset({0, longest})))

    def _longest(self, name: str, seen: frozenset[str]) -> int | None:
        """The longest sequence that a function gets; None if that is not known."""
        if name in self._any:
            return None
        found = [0 if name in seen else self._written(term, seen | {name}) for term in self._sources.get(name, ())]
        return None if None in found else max((each for each in found if each is not None), default=0)

    def _written(self, term: t.Term, seen: frozenset[str]) -> int | None:
        """How long the sequence is that the term is, at most."""
        match term:
            case t.SequenceDisplay(items=items):
                return len(items)
            case t.Undef():
                return 0
            case t.IfTerm(then=then, orelse=orelse):
                parts: tuple[t.Term, ...] = (then,) if orelse is None else (then, orelse)
            case t.CaseTerm(arms=arms, otherwise=otherwise):
                parts = (*(arm for _, arm in arms), *(() if otherwise is None else (otherwise,)))
            case t.Name(name=name) | t.Apply(name=name) if name in self._functions:
                return None if self._functions[name].category in _INPUTS else self._longest(name, seen)
            case _:
                return None
        found = [self._written(part, seen) for part in parts]
        return None if None in found else max((each for each in found if each is not None), default=0)

    def _params(self, function: t.Function) -> tuple[t.Binder, ...] | None:
        """The arguments that it is asked for: none if there are finitely many in any case, None if there may be ever
        more of them."""
        open_ = {at: self._at((function.name, at)) for at, arg in enumerate(function.args) if self._is_open(arg)}
        if not all(open_.values()):
            return None
        span = function.span
        places = range(len(function.args)) if open_ else ()
        domains = (_display(span, open_[at]) if at in open_ else t.Wildcard(span) for at in places)
        return tuple(t.Binder(span, t.Name(span, f"$at{at}"), each) for at, each in enumerate(domains))

    def _is_open(self, type_: t.TypeExpr | None) -> bool:
        """Whether it is numbers without an end."""
        while isinstance(type_, t.TypeName) and type_.name in self._subsets and type_.name not in self._elements:
            type_ = self._subsets[type_.name]
        return isinstance(type_, t.TypeName) and type_.name in _BASIC


def _told_apart(machine: t.Machine) -> t.Machine:
    """The machine with other names of variables in each definition, rule and property. In ASM-SL, they are the names
    that nothing declares."""
    numbers = count()
    declared = {each.name for kind in (machine.functions, machine.domains, machine.rules) for each in kind}
    declared |= _OTHERS | _BASIC | {each.name for domain in machine.domains for each in domain.constructors}

    def apart(part: T) -> T:
        suffix = f" {next(numbers)}"

        def renamed(node: Any) -> Any:
            name = getattr(node, "name", None)
            variable = isinstance(name, str) and (name.startswith("$") or isinstance(node, t.Name))
            return replace(node, name=f"{name}{suffix}") if variable and name not in declared else node

        return t.changed(part, renamed)

    initials = tuple(replace(each, functions=tuple(map(apart, each.functions))) for each in machine.initials)
    return replace(
        machine,
        definitions=tuple(map(apart, machine.definitions)),
        rules=tuple(map(apart, machine.rules)),
        specifications=tuple(map(apart, machine.specifications)),
        initials=initials,
    )


def _makes_fractions(node: t.Node) -> bool:
    match node:
        case t.Number(value=value):
            return value.denominator > 1
        case t.Binary(op="/") | t.Apply(name="div"):
            return True
    return False


def _elements_of(type_: t.TypeExpr | None) -> t.TypeExpr | None:
    """What sets, sequences and bags have as elements, and maps as values; else the type itself."""
    if isinstance(type_, t.TypeOf) and type_.maker in ("Powerset", "Seq", "Bag", "Map") and type_.parts:
        return type_.parts[-1]
    return type_


def _argument(span: Span, function: str, at: int) -> t.Term:
    return t.Apply(span, "argument of", (t.Name(span, function), t.Number(span, at)))


def _display(span: Span, numbers: Numbers) -> t.Term:
    return t.SetDisplay(span, tuple(t.Number(span, each) for each in sorted(numbers or ())))


def _united(parts: Iterable[Numbers]) -> Numbers:
    found: set[int | Fraction] = set()
    for each in parts:
        if each is None:
            return None
        found |= each
    return frozenset(found)


def _combined(op: str, left: Numbers, right: Numbers) -> Numbers:
    if left is None or right is None or len(left) * len(right) > MOST * 10:
        return None
    return frozenset(reduced(_OPERATIONS[op](a, b)) for a in left for b in right)


def _between(lows: Numbers, highs: Numbers, step: Number = 1) -> Numbers:
    if not lows or not highs:
        return None if lows is None or highs is None else NONE
    first, last = min(lows), max(highs)
    if step <= 0 or last - first > MOST * step or (len(lows) > 1 and any((each - first) % step for each in lows)):
        return None
    return frozenset(reduced(first + k * step) for k in range(floor((last - first) / Fraction(step)) + 1))


def _quotients(dividends: Numbers, divisor: Number | None) -> Numbers:
    """Of either sign, and no larger than the largest dividend by the least divisor."""
    if dividends is None or divisor is None:
        return None
    most = floor(max(map(magnitude, dividends), default=Fraction(0)) / divisor)
    return None if most >= MOST else frozenset(range(-most, most + 1))


def _remainders(divisors: Numbers) -> Numbers:
    """With either sign, as the dividend may have."""
    if divisors is None or not divisors:
        return divisors
    if any(each.denominator > 1 for each in divisors):
        return None
    most = floor(max(map(magnitude, divisors)))
    return None if most > MOST else frozenset(range(1 - most, most))
