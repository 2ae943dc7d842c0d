"""Lowering terms: what a term denotes, as expressions of the IR over the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.arithmetic import computation, strict
from asset.frontends.asm.asking import Asking, MayBeLazy
from asset.frontends.asm.bags import BagFunctions
from asset.frontends.asm.binding import Bound, Deferred, Environment, bind, parts_for
from asset.frontends.asm.definitions import Definitions
from asset.frontends.asm.displays import Displays
from asset.frontends.asm.folding import Folding
from asset.frontends.asm.judging import LOGIC, Judged, as_value, compared, judged, negated
from asset.frontends.asm.kinds import Static
from asset.frontends.asm.library import TEMPORAL, applied, items_of, of_texts
from asset.frontends.asm.lookup import constructed, looked_up, taken_apart
from asset.frontends.asm.open_choices import OpenChoices
from asset.frontends.asm.operators import COMPARE, conjuncts, of_sets
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.results import LocalFunction, Returned
from asset.frontends.asm.sets import SetFunctions
from asset.frontends.asm.signature import FunctionInfo, Signature
from asset.frontends.asm.static_library import OPERATORS
from asset.frontends.asm.statics import NotStatic, StaticEvaluator, unknown
from asset.frontends.asm.values import (
    BagValue,
    MapValue,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    boolean,
    contains,
    defined,
    either,
    equal,
    noun,
    number,
    of_static,
    static_of,
)
from asset.ir import nodes as n
from asset.span import Span

MOST_NARROWED = 256


class Dynamics(MayBeLazy, Protocol):
    """The values of dynamic functions, wherever they come from."""

    def read(self, function: FunctionInfo, args: tuple[Value, ...], span: Span) -> Value: ...

    def members(self, domain: str, span: Span) -> SetValue:
        """The elements of a domain that gets new ones."""
        ...

    def choose(self, of: SetValue, span: Span) -> Value:
        """An element of the set."""
        ...


@dataclass
class Terms:
    """Lowers terms for one function of the IR."""

    names: Signature
    evaluator: StaticEvaluator
    writer: c.Writer
    dynamics: Dynamics
    result: Callable[[], Value] | None = None
    """What `result` is, in a rule that returns something."""
    varying: set[int] = field(default_factory=set)
    """Slots that have several values in one firing: those of loops."""

    def __post_init__(self) -> None:
        self.folding = Folding(self.writer, self.varying)
        self._asking = Asking(self.writer, self.dynamics, self.varying)
        self._choices = OpenChoices(self)
        self._definitions = Definitions(self)
        self.displays = Displays(self)

    def value(self, term: t.Term, env: Environment) -> Value:
        return _LOWER[type(term)](self, term, env)

    def truth(self, term: t.Term, env: Environment) -> n.Expr:
        """Whether it is true; `undef` is not."""
        return self._judged(term, env).yes

    def _judged(self, term: t.Term, env: Environment) -> Judged:
        match term:
            case t.Unary(op="not", operand=operand):
                return negated(self._judged(operand, env), term.span)
            case t.Binary(op=op, left=left, right=right) if op in LOGIC:
                sides = (partial(self._judged, left, env), partial(self._judged, right, env))
                return self._asking.connected(op, *sides, term.span)
            case t.Binary(op=op) if op in COMPARE:
                return self._compared(term, env)
        return judged(self.value(term, env), term.span)

    def set(self, term: t.Term, env: Environment) -> SetValue:
        found = self.value(term, env)
        match found:
            case SetValue():
                return found
            case BagValue():
                return BagFunctions(lambda v: self.possible(v, term.span), term.span).as_set(found)
            case SequenceValue():
                return items_of(self.folding, found, term.span)
        raise Rejected(f"a set or a domain is needed here, and this is {noun(found)}", term.span)

    def possible(self, value: Value, span: Span) -> tuple[Static, ...]:
        """The values that it may have."""
        return SetFunctions(self.folding, span).possible(value)

    def narrowed(self, binder: t.Binder, guard: t.Term | None, env: Environment) -> SetValue:
        """The set of a binder without the elements that the guard excludes whatever the state is."""
        domain = self.set(binder.domain, env)
        if guard is None or not isinstance(binder.pattern, t.Name) or len(domain.universe) > MOST_NARROWED:
            return domain
        name, parts = binder.pattern.name, list(conjuncts(guard))
        kept = [
            each
            for each in domain.universe
            if not any(self._excludes(part, {**env, name: of_static(each, binder.span)}) for part in parts)
        ]
        return replace(domain, universe=tuple(kept))

    def _excludes(self, guard: t.Term, env: Environment) -> bool:
        try:
            found = self.static(guard, env)
        except Rejected:
            return False  # it is said where the guard is evaluated
        return found is not None and static_of(found) is not True

    # --- names ----------------------------------------------------------------------------------------------------

    def static(self, term: t.Term, env: Environment) -> Value | None:
        """What the term denotes, if that does not depend on the state."""
        known = {
            name: found
            for name, value in env.items()
            if not isinstance(value, Deferred | Returned | LocalFunction) and (found := static_of(value)) is not None
        }
        free = {each.name for each in t.walk(term) if isinstance(each, t.Name | t.Apply)}
        if any(name in env and name not in known for name in free):
            return None
        try:
            return of_static(self.evaluator.value(term, known), term.span)
        except NotStatic:
            return None

    def _name(self, term: t.Name, env: Environment) -> Value:
        if term.name in env:
            bound = env[term.name]
            if isinstance(bound, Returned | LocalFunction):
                return bound.value_so_far()
            return self.value(bound.term, bound.env) if isinstance(bound, Deferred) else bound
        if term.name in self.names.constants:
            return of_static(self.names.constants[term.name], term.span)
        if term.name in self.names.functions:
            return self._definitions.applied(term.name, (), env, term.span)
        if term.name == "result" and self.result is not None:
            return self.result()
        if term.name in self.names.domains and self.names.changes(term.name):
            return self.dynamics.members(term.name, term.span)
        if term.name in self.names.domains:
            found = self.static(term, {})
            assert found is not None
            return found
        return self._definitions.applied(term.name, (), env, term.span)

    def _apply(self, term: t.Apply, env: Environment) -> Value:
        if term.name in TEMPORAL and self.names.is_operator(term):
            raise Rejected(
                f"{term.name} is an operator of temporal logic", term.span, "write it in a CTLSPEC or an LTLSPEC"
            )
        if self.names.domain_of(term) is not None:
            return of_static(self.evaluator.value(term, {}), term.span)
        if not self.names.is_own(term.name, len(term.args)):
            chosen_now = self._choices.made(term, env)
            if chosen_now is not None:
                return chosen_now
        args = tuple(self.value(arg, env) for arg in term.args)
        if term.name in env:
            value = env[term.name]
            if isinstance(value, LocalFunction):
                return value.value_at(args, term.span)
            if isinstance(value, MapValue):
                return looked_up(value, args, term.name, term.span)
            raise Rejected(f"{term.name} is no function here", term.span, "use a map, or a function")
        if term.name in self.names.constructors:
            return constructed(self.names.constructors[term.name], term.name, args, term.span)
        if self.names.is_own(term.name, len(args)):
            return self._definitions.applied(term.name, args, env, term.span)
        if term.name in OPERATORS and len(args) == 2:
            return self.value(t.Binary(term.span, OPERATORS[term.name], *term.args), env)
        found = applied(self.folding, self.names, term, args)
        if found is None:
            raise unknown(self.names, term.name, term.span)
        return found

    # --- operators ------------------------------------------------------------------------------------------------

    def _unary(self, term: t.Unary, env: Environment) -> Value:
        if term.op == "not":
            return as_value(self._judged(term, env), term.span)
        operand = number(self.value(term.operand, env), term.operand.span)
        codes = operand.codes and tuple(sorted(-code for code in operand.codes))
        return strict(c.negative(term.span, operand.expr), (operand,), codes, term.span, operand.kind)

    def _binary(self, term: t.Binary, env: Environment) -> Value:
        if term.op in LOGIC or term.op in COMPARE:
            return as_value(self._judged(term, env), term.span)
        a, b = self.value(term.left, env), self.value(term.right, env)
        match term.op:
            case "=":
                return boolean(equal(a, b, term.span))
            case "!=":
                return boolean(c.negation(term.span, equal(a, b, term.span)))
            case "in":
                if not isinstance(b, SetValue):
                    raise Rejected(f"a set is needed here, and this is {noun(b)}", term.right.span)
                return boolean(contains(b, a, term.span))
        if isinstance(a, SetValue) or isinstance(b, SetValue):
            return of_sets(term, a, b)
        text = of_texts(self.folding, self.names, term.op, (a, b), term.span)
        if text is not None:
            return text
        return self._arithmetic(term, a, b)

    def _arithmetic(self, term: t.Binary, a: Value, b: Value) -> Value:
        left, right = number(a, term.left.span), number(b, term.right.span)
        return computation(term.op, left, right, term.span)

    def _compared(self, term: t.Binary, env: Environment) -> Judged:
        a, b = self.value(term.left, env), self.value(term.right, env)
        text = of_texts(self.folding, self.names, term.op, (a, b), term.span)
        if text is not None:
            return judged(text, term.span)
        left, right = number(a, term.left.span), number(b, term.right.span)
        return compared(term.op, left, right, term.span)

    # --- displays -------------------------------------------------------------------------------------------------

    def _tuple(self, term: t.Tuple, env: Environment) -> Value:
        return TupleValue(tuple(self.value(item, env) for item in term.items))

    def _quantified(self, term: t.Quantified, env: Environment) -> Value:
        op = {"forall": n.FoldOp.ALL, "exist": n.FoldOp.ANY, "unique": n.FoldOp.SUM}[term.quantifier]
        folded = self._folded(op, term.binders, env, lambda inner: self.truth(term.body, inner), term.span)
        if term.quantifier == "unique":
            folded = c.equal(term.span, folded, c.const(term.span, 1))
        return boolean(folded)

    def _folded(
        self,
        op: n.FoldOp,
        binders: tuple[t.Binder, ...],
        env: Environment,
        body: Callable[[Environment], n.Expr],
        span: Span,
    ) -> n.Expr:
        first, rest = binders[0], binders[1:]
        domain = self.set(first.domain, env)

        def element(value: Value) -> n.Expr:
            inner = dict(env)
            bind(first.pattern, value, inner)
            return self._folded(op, rest, inner, body, span) if rest else body(inner)

        return self.folding.fold(op, domain, element, span)

    def _if(self, term: t.IfTerm, env: Environment) -> Value:
        test = self.truth(term.test, env)
        if c.known(test) is not None:
            taken = term.then if c.known(test) else term.orelse
            return UndefValue() if taken is None else self.value(taken, env)
        then, asking = self.writer.captured(lambda: self.value(term.then, env))
        otherwise = t.Undef(term.span) if term.orelse is None else term.orelse
        orelse, also = self.writer.captured(lambda: self.value(otherwise, env))
        test = self._asking.under(term.span, test, asking, matters=True)
        test = self._asking.under(term.span, test, also, matters=False)
        return either(test, then, orelse, term.span)

    def _case(self, term: t.CaseTerm, env: Environment) -> Value:
        subject = self.value(term.subject, env)
        found: Value = UndefValue() if term.otherwise is None else self.value(term.otherwise, env)
        for pattern, body in reversed(term.arms):
            inner = dict(env)
            test = self.matching(pattern, subject, inner)
            if c.known(test) != 0:
                value, asking = self.writer.captured(partial(self.value, body, inner))
                test = self._asking.under(term.span, test, asking, matters=True)
                found = either(test, value, found, term.span)
        return found

    def _let(self, term: t.LetTerm, env: Environment) -> Value:
        inner = dict(env)
        for pattern, value in term.bindings:
            bind(pattern, self.value(value, inner), inner)
        return self.value(term.body, inner)

    # --- patterns -------------------------------------------------------------------------------------------------

    def matching(self, pattern: t.Term, value: Value, env: dict[str, Bound]) -> n.Expr:
        """Whether the value is of the pattern; the variables of the pattern are bound."""
        span = pattern.span
        match pattern:
            case t.Wildcard():
                return c.const(span, 1)
            case t.Name(name=name) if not self.names.is_fixed(name):
                env[name] = value
                return c.const(span, 1)
            case t.Tuple(items=items):
                parts = parts_for(items, value)
                if parts is None:
                    raise Rejected(f"this pattern does not fit {noun(value)}", span)
                inner = [self.matching(item, part, env) for item, part in zip(items, parts, strict=True)]
                return c.conjunction(span, (defined(value, span), *inner))
            case t.Apply(name=name, args=args) if name in self.names.constructors:
                test, made_of = taken_apart(self.names.constructors[name], name, value, span)
                if len(made_of) != len(args):
                    return c.const(span, 0)
                inner = [self.matching(arg, part, env) for arg, part in zip(args, made_of, strict=True)]
                return c.conjunction(span, (test, *inner))
        return equal(value, self.value(pattern, env), span)


_LOWER: dict[type[t.Node], Callable[..., Value]] = {
    t.Name: Terms._name,
    t.Number: lambda self, term, env: of_static(term.value, term.span),
    t.Truth: lambda self, term, env: boolean(c.const(term.span, term.value)),
    t.Undef: lambda self, term, env: UndefValue(),
    t.Text: lambda self, term, env: of_static(self.names.text(term), term.span),
    t.RuleTerm: lambda self, term, env: of_static(self.names.rule_value(term), term.span),
    t.Wildcard: lambda self, term, env: UndefValue(),
    t.Apply: Terms._apply,
    t.Unary: Terms._unary,
    t.Binary: Terms._binary,
    t.Tuple: Terms._tuple,
    t.SetDisplay: lambda self, term, env: self.displays.set(term, env),
    t.Interval: lambda self, term, env: self.displays.interval(term, env),
    t.SequenceDisplay: lambda self, term, env: self.displays.sequence(term, env),
    t.BagDisplay: lambda self, term, env: self.displays.bag(term, env),
    t.MapDisplay: lambda self, term, env: self.displays.map(term, env),
    t.Comprehension: lambda self, term, env: self.displays.comprehension(term, env),
    t.Quantified: Terms._quantified,
    t.IfTerm: Terms._if,
    t.CaseTerm: Terms._case,
    t.LetTerm: Terms._let,
}
