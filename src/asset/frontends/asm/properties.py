"""Properties of a machine: invariants, formulas of temporal logic, and what is assumed of the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Deferred, Environment
from asset.frontends.asm.expanding import Expanding
from asset.frontends.asm.firing import StateNow
from asset.frontends.asm.kinds import shown
from asset.frontends.asm.library import TEMPORAL
from asset.frontends.asm.patterns import PAST, PATTERNS, simple_past, steps_ahead
from asset.frontends.asm.problems import Problems, Rejected
from asset.frontends.asm.results import LocalFunction, Returned
from asset.frontends.asm.signature import Signature
from asset.frontends.asm.statics import StaticEvaluator
from asset.frontends.asm.storage import Stored
from asset.frontends.asm.terms import Terms
from asset.frontends.asm.values import static_of
from asset.ir import nodes as n
from asset.ir.program import Function
from asset.ir.requirements import Branching, Invariant, Predicate, Requirement, Temporal
from asset.logic import formulas as f
from asset.span import Span

_BRANCHING: Mapping[str, tuple[type[f.Formula], type[f.Formula]]] = {
    "ag": (f.ForAll, f.Always),
    "af": (f.ForAll, f.Eventually),
    "ax": (f.ForAll, f.Next),
    "eg": (f.Exists, f.Always),
    "ef": (f.Exists, f.Eventually),
    "ex": (f.Exists, f.Next),
    "au": (f.ForAll, f.Until),
    "eu": (f.Exists, f.Until),
    "a": (f.ForAll, f.Until),
    "e": (f.Exists, f.Until),
    "aw": (f.ForAll, f.WeakUntil),
    "ew": (f.Exists, f.WeakUntil),
}
_LINEAR: Mapping[str, type[f.Formula]] = {
    "g": f.Always,
    "f": f.Eventually,
    "x": f.Next,
    "u": f.Until,
    "v": f.Release,
    "r": f.Release,
    "w": f.WeakUntil,
}
_ASSUMPTIONS = ("justice", "compassion")
_ALWAYS = "always"
_OPERANDS = {f.Until: 2, f.WeakUntil: 2, f.Release: 2}


@dataclass
class Properties:
    """Makes requirements of specifications. The functions of their predicates are put into `functions`."""

    names: Signature
    evaluator: StaticEvaluator
    stored: Mapping[str, Stored]
    problems: Problems
    functions: list[Function]
    text_of: Callable[[Span], str]
    _known: dict[str, Predicate] = field(default_factory=dict)

    def requirements(self, asked: Sequence[t.Specification]) -> tuple[Requirement, ...]:
        assumed: list[f.Formula] = []
        for each in asked:
            if each.kind in _ASSUMPTIONS:
                with self.problems.gathered():
                    assumed.append(self._assumption(each))
        found: list[Requirement] = []
        for each in asked:
            if each.kind not in (*_ASSUMPTIONS, _ALWAYS):
                with self.problems.gathered():
                    found.append(self._requirement(each, tuple(assumed), {one.name for one in found}))
        return tuple(found)

    def always(self, asked: Sequence[t.Specification]) -> tuple[Predicate, ...]:
        """What is true of every state that is looked at, initial ones too."""
        found = []
        for each in asked:
            if each.kind == _ALWAYS:
                with self.problems.gathered():
                    found.append(self._predicate(each.term, {}, each.name or self.text_of(each.term.span)))
        return tuple(found)

    def about_state(self, term: t.Term) -> Predicate:
        """The question whether the term is true of a state."""
        return self._predicate(term, {}, self.text_of(term.span))

    def _assumption(self, asked: t.Specification) -> f.Formula:
        """Justice: true again and again. Compassion: if the one is true again and again, so is the other."""
        if asked.kind == "justice":
            return self._again_and_again(asked.term)
        if not isinstance(asked.term, t.Tuple) or len(asked.term.items) != 2:
            raise Rejected("compassion is a pair of terms", asked.span, "write COMPASSION (p, q)")
        first, second = asked.term.items
        return f.Implies(self._again_and_again(first), self._again_and_again(second))

    def _again_and_again(self, term: t.Term) -> f.Formula:
        return f.Always(f.Eventually(self._atom(term, {})))

    def _requirement(self, asked: t.Specification, assumed: tuple[f.Formula, ...], taken: set[str]) -> Requirement:
        name = asked.name or self.text_of(asked.term.span)
        if name in taken:
            name = f"{name} (line {asked.span.line})"
        if asked.kind == "invariant":
            return Invariant(self._predicate(asked.term, {}, name))
        formula = self._formula(Expanding(self.names, self._is_temporal).expanded(asked.term), {}, asked.kind)
        if asked.kind == "ctl":
            return Branching(name, formula, asked.term.span)
        return Temporal(name, formula, asked.term.span, (), assumed)

    # --- formulas -------------------------------------------------------------------------------------------------

    def _formula(self, term: t.Term, env: Environment, logic: str) -> f.Formula:
        if not self._is_temporal(term):
            return self._atom(term, env)
        match term:
            case t.Apply():
                return self._temporal(term, env, logic)
            case t.Unary(op="not", operand=operand):
                return f.Not(self._formula(operand, env, logic))
            case t.Binary(op=op, left=left, right=right) if op in _CONNECTIVES:
                return _CONNECTIVES[op](self._formula(left, env, logic), self._formula(right, env, logic))
            case t.Quantified(quantifier="forall" | "exist" as quantifier, binders=binders, body=body):
                terms = self._terms(())
                parts = []
                for inside, inner in terms.displays.unrolled(binders, env):
                    if c.known(inside) is None:
                        raise Rejected("a quantifier over a formula needs a set that does not change", term.span)
                    if c.known(inside):
                        parts.append(self._formula(body, inner, logic))
                return f.And(tuple(parts)) if quantifier == "forall" else f.Or(tuple(parts))
        raise Rejected("temporal operators stand below and, or, not, implies, iff and quantifiers only", term.span)

    def _temporal(self, term: t.Apply, env: Environment, logic: str) -> f.Formula:
        if term.name in ("exN", "axN") and logic == "ctl":
            return self._steps_ahead(term, env)
        word = term.name.lower()
        if logic == "ltl" and self._has_past(term):
            return self._of_the_past(term, env)
        operands = tuple(self._formula(arg, env, logic) for arg in term.args)
        if logic == "ctl" and word in _BRANCHING:
            quantifier, operator = _BRANCHING[word]
            return quantifier(*self._operands(operator, operands, term))
        if logic == "ctl" and term.name in PATTERNS:
            wanted, pattern = PATTERNS[term.name]
            self._require_number(wanted, operands, term)
            return pattern(*operands)
        if logic == "ltl" and word in _LINEAR:
            operator = _LINEAR[word]
            return operator(*self._operands(operator, operands, term, bare=True))
        other = "CTL, and this is LTL" if logic == "ltl" else "LTL, and this is CTL"
        raise Rejected(f"{term.name} is an operator of {other}", term.span, "do not mix them in one formula")

    def _has_past(self, term: t.Term) -> bool:
        return any(isinstance(each, t.Apply) and self._is_past(each) for each in t.walk(term))

    def _is_past(self, term: t.Apply) -> bool:
        return term.name.lower() in PAST and self.names.is_operator(term)

    def _of_the_past(self, term: t.Apply, env: Environment) -> f.Formula:
        """`g(p implies o(q))`, or `g(o(q))`."""
        found = simple_past(term, self._is_past, self._is_temporal)
        assert found is not None, "all others are in the history"
        known = [self._since_then(found[0], part, env) for part in found[1]]
        return f.And(tuple(known)) if len(known) > 1 else known[0]

    def _since_then(self, premise: t.Term, term: t.Term, env: Environment) -> f.Formula:
        """That the term is always true if the premise is: `o(q)` and the like, or without operators."""
        match term:
            case t.Apply(name=name, args=(what,)) if self._is_past(term):
                return PAST[name.lower()](self._atom(premise, env), self._atom(what, env))
        return f.Always(f.Implies(self._atom(premise, env), self._atom(term, env)))

    def _operands(
        self, operator: type[f.Formula], operands: tuple[f.Formula, ...], term: t.Apply, bare: bool = False
    ) -> tuple[f.Formula, ...]:
        self._require_number(_OPERANDS.get(operator, 1), operands, term)
        return operands if bare else (operator(*operands),)

    @staticmethod
    def _require_number(wanted: int, operands: tuple[f.Formula, ...], term: t.Apply) -> None:
        if len(operands) != wanted:
            raise Rejected(f"{term.name} takes {wanted} formulas, not {len(operands)}", term.span)

    def _steps_ahead(self, term: t.Apply, env: Environment) -> f.Formula:
        known = self._terms(()).static(term.args[1], {}) if len(term.args) == 2 else None
        count = None if known is None else static_of(known)
        if type(count) is not int or not 0 <= count <= 100:
            remedy = f"write {term.name}(p, 2)"
            raise Rejected(f"{term.name} takes a formula and a number of steps", term.span, remedy)
        return steps_ahead(term.name, self._formula(term.args[0], env, "ctl"), count)

    def _is_temporal(self, term: t.Term) -> bool:
        return any(
            isinstance(each, t.Apply) and each.name in TEMPORAL and self.names.is_operator(each)
            for each in t.walk(term)
        )

    def _atom(self, term: t.Term, env: Environment) -> f.Formula:
        return f.Atom(self._predicate(term, env, self.text_of(term.span)))

    # --- predicates -----------------------------------------------------------------------------------------------

    def _predicate(self, term: t.Term, env: Environment, name: str) -> Predicate:
        terms = self._terms(())
        value = terms.truth(term, env)
        body = (n.Return(term.span, value),)
        key = f"{name} {body!r}"
        if key not in self._known:
            title = name if not env else f"{name} [{_bound(env)}]"
            function = Function(title, 0, tuple(terms.writer.slots), (*terms.writer.body(), *body), term.span)
            self.functions.append(function)
            self._known[key] = Predicate(title, len(self.functions) - 1, (), term.span)
        return self._known[key]

    def _terms(self, parameters: tuple[str, ...]) -> Terms:
        return Terms(self.names, self.evaluator, c.Writer(parameters), StateNow(self.names, self.stored))


def _bound(env: Environment) -> str:
    kept = (Deferred, Returned, LocalFunction)
    known = {name: static_of(value) for name, value in env.items() if not isinstance(value, kept)}
    return ", ".join(f"{name} = {shown(value)}" for name, value in known.items() if value is not None)


_CONNECTIVES: Mapping[str, Callable[[f.Formula, f.Formula], f.Formula]] = {
    "and": lambda a, b: f.And((a, b)),
    "or": lambda a, b: f.Or((a, b)),
    "implies": f.Implies,
    "iff": f.Iff,
    "xor": lambda a, b: f.Not(f.Iff(a, b)),
}
