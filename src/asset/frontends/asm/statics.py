"""Terms that can be evaluated while a machine is read: domains, static functions, constraints, initial values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction

from asset.frontends.asm import texts
from asset.frontends.asm import tree as t
from asset.frontends.asm.arithmetic import COMPUTE
from asset.frontends.asm.judging import LOGIC, connected, negation_of
from asset.frontends.asm.kinds import (
    MOST_NUMBER,
    UNDEFINED,
    Bagged,
    Element,
    Listed,
    Mapped,
    Sort,
    Static,
    Undefined,
    magnitude,
    order,
    reduced,
    shown,
    values_of,
)
from asset.frontends.asm.problems import Poisoned, Rejected, wrong_number
from asset.frontends.asm.signature import Signature
from asset.frontends.asm.static_library import LIBRARY, OF_NOTHING, OPERATORS
from asset.ir.faults import INT_MAX, INT_MIN
from asset.span import Span

Environment = Mapping[str, Static]
Reading = Callable[[str, tuple[Static, ...], Span], Static]
"""The value of a function that is not static."""

MOST_ELEMENTS = 1_000_000
MOST_OPEN = 100
"""Calls of functions inside each other."""
CHOICE = "chooseone"
"""The function that gives any of its arguments: what it gives is read like what depends on the state."""


class NotStatic(Exception):
    """The value of a term depends on the state."""


def not_static(name: str, args: tuple[Static, ...], span: Span) -> Static:
    raise NotStatic(name)


class StaticEvaluator:
    """Evaluates terms. Raises NotStatic if a value depends on the state, Rejected if there is none."""

    def __init__(self, signature: Signature, read: Reading = not_static) -> None:
        self._names = signature
        self._read = read
        self._known: dict[tuple[str, tuple[Static, ...]], Static] = {}
        self._open: set[tuple[str, tuple[Static, ...]]] = set()
        """The calls that are being evaluated."""

    def value(self, term: t.Term, env: Environment) -> Static:
        return _EVALUATE[type(term)](self, term, env)

    def truth(self, term: t.Term, env: Environment) -> bool:
        return self.value(term, env) is True

    def elements(self, term: t.Term, env: Environment) -> tuple[Static, ...]:
        """The elements of a set, in increasing order."""
        value = self.value(term, env)
        if isinstance(value, Listed | Bagged):
            value = frozenset(value.items)
        if not isinstance(value, frozenset):
            raise Rejected(f"{shown(value)} is no set", term.span, "write a set or the name of a finite domain")
        return tuple(sorted(value, key=order))

    def _items(self, term: t.Term, env: Environment) -> tuple[Static, ...]:
        """The elements of a collection in their order, each as often as it is there."""
        value = self.value(term, env)
        return value.items if isinstance(value, Listed | Bagged) else self.elements(term, env)

    # --- names ----------------------------------------------------------------------------------------------------

    def _name(self, term: t.Name, env: Environment) -> Static:
        if term.name in env:
            return env[term.name]
        if term.name in self._names.constants:
            return self._names.constants[term.name]
        if term.name in self._names.functions:
            return self._applied(term.name, (), term.span)
        if term.name in self._names.domains and self._names.changes(term.name):
            return self._read(term.name, (), term.span)
        if term.name in self._names.domains:
            return self._values(self._names.domains[term.name], term)
        return self._applied(term.name, (), term.span)

    def _values(self, sort: Sort, term: t.Name | t.Apply) -> Static:
        """The elements of a domain."""
        found = values_of(sort)
        if found is None:
            raise Rejected(
                f"the domain {term.name} is not finite, or too large",
                term.span,
                f"say what its elements are: {term.name} = …",
            )
        return frozenset(found)

    def _apply(self, term: t.Apply, env: Environment) -> Static:
        domain = self._names.domain_of(term)
        if domain is not None:
            return self._values(domain, term)
        args = tuple(self.value(arg, env) for arg in term.args)
        if term.name in ("MAP_TO_FUN", "SET_TO_REL"):
            return args[0]
        if term.name in self._names.constructors:
            return self._names.constructors[term.name].kind.element(term.name, args)
        if term.name in env:
            return looked_up(env[term.name], args)
        if self._names.is_own(term.name, len(args)):
            return self._applied(term.name, args, term.span)
        found: Static | None = texts.applied(self._names, term.name, args, term.span)
        if found is not None:
            return found
        if term.name in OPERATORS and len(args) == 2:
            return self.value(t.Binary(term.span, OPERATORS[term.name], *term.args), env)
        if term.name == CHOICE:
            return self._read(CHOICE, self.elements(term.args[0], env), term.span)
        if term.name in LIBRARY:
            given: Static | None = LIBRARY[term.name](*args) if LIBRARY.arity(term.name, len(args)) else None
            if given is None and args and isinstance(args[0], Undefined):
                return False if term.name in OF_NOTHING else UNDEFINED
            if given is None:
                raise Rejected(f"{term.name} is not defined for ({', '.join(map(shown, args))})", term.span)
            return given
        return self._applied(term.name, args, term.span)

    def _applied(self, name: str, args: tuple[Static, ...], span: Span) -> Static:
        function = self._names.functions.get(name)
        if function is None:
            raise unknown(self._names, name, span)
        if function.is_dynamic:
            return self._read(name, args, span)
        if function.definition is None:
            raise Rejected(f"{name} is not defined", function.span, f"write function {name} = … in the definitions")
        key = (name, args)
        if key not in self._known:
            self._known[key] = self._unfolded(function.definition, key, span)
        return self._known[key]

    def _unfolded(self, definition: t.Definition, key: tuple[str, tuple[Static, ...]], span: Span) -> Static:
        """What the definition gives. A function may call itself, but not for ever."""
        name, args = key
        if key in self._open or len(self._open) > MOST_OPEN:
            often = "for ever" if key in self._open else f"more than {MOST_OPEN} times inside each other"
            raise Rejected(f"{name} calls itself {often}", span, "let it end for some arguments, and sooner")
        self._open.add(key)
        try:
            return self._defined(definition, args, span)
        finally:
            self._open.remove(key)

    def _defined(self, definition: t.Definition, args: tuple[Static, ...], span: Span) -> Static:
        if not definition.params:
            value = self.value(definition.body, {})
            return looked_up(value, args) if args else value
        return self.value(definition.body, self.bound(definition, args, span))

    def bound(self, definition: t.Definition, args: tuple[Static, ...], span: Span) -> dict[str, Static]:
        """The values of the parameters."""
        if len(args) == 1 and isinstance(args[0], tuple) and len(definition.params) > 1:
            args = args[0]
        if len(args) != len(definition.params):
            raise wrong_number(definition.name, len(definition.params), len(args), span)
        env: dict[str, Static] = {}
        for param, arg in zip(definition.params, args, strict=True):
            if not self.matches(param.pattern, arg, env):
                raise Rejected(f"{shown(arg)} is not what {definition.name} takes", span)
        return env

    # --- operators ------------------------------------------------------------------------------------------------

    def _unary(self, term: t.Unary, env: Environment) -> Static:
        value = self.value(term.operand, env)
        if term.op == "not":
            return negation_of(value)
        if isinstance(value, Undefined):
            return UNDEFINED
        return -_number(value, term.operand.span)

    def _binary(self, term: t.Binary, env: Environment) -> Static:
        if term.op in LOGIC:
            return connected(term.op, lambda: self.value(term.left, env), lambda: self.value(term.right, env))
        left, right = self.value(term.left, env), self.value(term.right, env)
        match term.op:
            case "=":
                return left == right
            case "!=":
                return left != right
        found = texts.applied(self._names, term.op, (left, right), term.span)
        if found is not None:
            return found
        if isinstance(left, frozenset) or isinstance(right, frozenset):
            return _of_sets(term, left, right)
        if isinstance(left, Undefined) or isinstance(right, Undefined):
            return UNDEFINED
        return self._arithmetic(term, _number(left, term.left.span), _number(right, term.right.span))

    def _arithmetic(self, term: t.Binary, left: int | Fraction, right: int | Fraction) -> Static:
        if term.op in _COMPARE:
            return _COMPARE[term.op](left, right)
        if term.op in ("/", "div", "mod", "quot", "rem") and right == 0:
            raise Rejected(f"{shown(left)} divided by 0", term.span)
        if term.op == "^" and (right < 0 or right.denominator > 1 or (magnitude(left) > 1 and right > 63)):
            raise Rejected(f"{shown(left)} ^ {shown(right)} is no number of 64 bits", term.span)
        result = Fraction(left) / right if term.op == "/" else Fraction(COMPUTE[term.op](left, right))
        if not INT_MIN <= result <= INT_MAX or result.denominator > MOST_NUMBER:
            raise Rejected(f"the result of {term.op} does not fit 64 bits", term.span)
        return reduced(result)

    # --- displays -------------------------------------------------------------------------------------------------

    def _tuple(self, term: t.Tuple, env: Environment) -> Static:
        return tuple(self.value(item, env) for item in term.items)

    def _set(self, term: t.SetDisplay, env: Environment) -> Static:
        return frozenset(self.value(item, env) for item in term.items)

    def _interval(self, term: t.Interval, env: Environment) -> Static:
        low = _number(self.value(term.low, env), term.low.span)
        high = _number(self.value(term.high, env), term.high.span)
        if max(magnitude(low), magnitude(high)) > MOST_NUMBER:
            raise Rejected(f"numbers beyond {MOST_NUMBER:,} are not part of what is read", term.span)
        if high - low >= MOST_ELEMENTS:
            raise Rejected(
                f"{shown(low)} to {shown(high)} are more than {MOST_ELEMENTS:,} numbers",
                term.span,
                "choose closer bounds",
            )
        step = 1 if term.step is None else _number(self.value(term.step, env), term.step.span)
        if step <= 0:
            raise Rejected("the step of an interval is more than 0", term.span)
        return frozenset(reduced(low + k * step) for k in range(int((high - low) // step) + 1))

    def _sequence(self, term: t.SequenceDisplay, env: Environment) -> Static:
        return Listed(tuple(self.value(item, env) for item in term.items))

    def _map(self, term: t.MapDisplay, env: Environment) -> Static:
        return Mapped.of((self.value(k, env), self.value(v, env)) for k, v in term.pairs)

    def _comprehension(self, term: t.Comprehension, env: Environment) -> Static:
        collects = term.collects != "set"
        bound = [
            each
            for each in self.generated(term.binders, env, collects)
            if term.guard is None or self.truth(term.guard, each)
        ]
        if collects:
            items = tuple(self.value(term.element, each) for each in bound)
            return Listed(items) if term.collects == "sequence" else Bagged.of(items)
        if term.value is None:
            return frozenset(self.value(term.element, each) for each in bound)
        return Mapped.of((self.value(term.element, each), self.value(term.value, each)) for each in bound)

    def _bag(self, term: t.BagDisplay, env: Environment) -> Static:
        return Bagged.of(self._items(term.of, env) if term.of else (self.value(item, env) for item in term.items))

    def generated(
        self, binders: tuple[t.Binder, ...], env: Environment, repeated: bool = False
    ) -> Iterator[dict[str, Static]]:
        """The environments for all values of the binders; a domain may depend on the binders before it.

        `repeated` if what a sequence or a bag has several times counts as often."""
        if not binders:
            yield dict(env)
            return
        first, rest = binders[0], binders[1:]
        for element in self._items(first.domain, env) if repeated else self.elements(first.domain, env):
            inner = dict(env)
            if self.matches(first.pattern, element, inner):
                yield from self.generated(rest, inner, repeated)

    def _quantified(self, term: t.Quantified, env: Environment) -> Static:
        truths = (self.truth(term.body, each) for each in self.generated(term.binders, env))
        match term.quantifier:
            case "forall":
                return all(truths)
            case "exist":
                return any(truths)
        return sum(truths) == 1

    def _if(self, term: t.IfTerm, env: Environment) -> Static:
        if self.truth(term.test, env):
            return self.value(term.then, env)
        return UNDEFINED if term.orelse is None else self.value(term.orelse, env)

    def _case(self, term: t.CaseTerm, env: Environment) -> Static:
        subject = self.value(term.subject, env)
        for pattern, body in term.arms:
            inner = dict(env)
            if self.matches(pattern, subject, inner):
                return self.value(body, inner)
        return UNDEFINED if term.otherwise is None else self.value(term.otherwise, env)

    def _let(self, term: t.LetTerm, env: Environment) -> Static:
        inner = dict(env)
        for pattern, value in term.bindings:
            self.matches(pattern, self.value(value, inner), inner, fresh=True)
        return self.value(term.body, inner)

    def matches(self, pattern: t.Term, value: Static, env: dict[str, Static], fresh: bool = True) -> bool:
        """Whether the value is of the pattern; the variables of the pattern are bound."""
        match pattern:
            case t.Wildcard():
                return True
            case t.Name(name=name) if not self._names.is_fixed(name) or (fresh and name.startswith("$")):
                env[name] = value
                return True
            case t.Tuple(items=items):
                if not isinstance(value, tuple) or len(value) != len(items):
                    return False
                return all(self.matches(p, v, env, fresh) for p, v in zip(items, value, strict=True))
            case t.Apply(name=name, args=args) if name in self._names.constructors:
                if not isinstance(value, Element):
                    return False
                constructor, given = list(value.kind.known)[value.code]
                if constructor != name or len(given) != len(args):
                    return False
                return all(self.matches(p, v, env, fresh) for p, v in zip(args, given, strict=True))
        return self.value(pattern, env) == value


_COMPARE: dict[str, Callable[[int | Fraction, int | Fraction], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def looked_up(value: Static, args: tuple[Static, ...]) -> Static:
    """What a map or a set, used as a function, gives."""
    key = args[0] if len(args) == 1 else args
    match value:
        case Mapped(pairs):
            return next((v for k, v in pairs if k == key), UNDEFINED)
        case frozenset():
            return key in value
    return UNDEFINED


def unknown(names: Signature, name: str, span: Span) -> Rejected:
    """There is no such name, or what has it is wrong itself."""
    if name in names.faulty:
        return Poisoned(f"{name} is wrong", span)
    if name in names.rules:
        return Rejected(f"{name} is a rule, and is called with brackets", span, f"write {name}[…], or {name}[]")
    close = get_close_matches(name, names.candidates(), 1)
    remedy = f"did you mean {close[0]}?" if close else "declare it"
    return Rejected(f"{name} is not declared", span, remedy)


def _number(value: Static, span: Span) -> int | Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise Rejected(f"{shown(value)} is no number", span)
    return value


def _of_sets(term: t.Binary, left: Static, right: Static) -> Static:
    if term.op == "in" and isinstance(right, frozenset):
        return left in right
    if not isinstance(left, frozenset) or not isinstance(right, frozenset):
        raise Rejected(f"{term.op} needs two sets", term.span)
    match term.op:
        case "union" | "+":
            return left | right
        case "intersect":
            return left & right
        case "\\" | "-":
            return left - right
    raise Rejected(f"{term.op} is not defined for sets", term.span)


_EVALUATE: dict[type[t.Node], Callable[..., Static]] = {
    t.Name: StaticEvaluator._name,
    t.Number: lambda self, term, env: term.value,
    t.Truth: lambda self, term, env: term.value,
    t.Undef: lambda self, term, env: UNDEFINED,
    t.Text: lambda self, term, env: self._names.text(term),
    t.RuleTerm: lambda self, term, env: self._names.rule_value(term),
    t.Wildcard: lambda self, term, env: UNDEFINED,
    t.Apply: StaticEvaluator._apply,
    t.Unary: StaticEvaluator._unary,
    t.Binary: StaticEvaluator._binary,
    t.Tuple: StaticEvaluator._tuple,
    t.SetDisplay: StaticEvaluator._set,
    t.Interval: StaticEvaluator._interval,
    t.SequenceDisplay: StaticEvaluator._sequence,
    t.BagDisplay: StaticEvaluator._bag,
    t.MapDisplay: StaticEvaluator._map,
    t.Comprehension: StaticEvaluator._comprehension,
    t.Quantified: StaticEvaluator._quantified,
    t.IfTerm: StaticEvaluator._if,
    t.CaseTerm: StaticEvaluator._case,
    t.LetTerm: StaticEvaluator._let,
}
