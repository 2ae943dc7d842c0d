"""Calls of rules: macros, rules that call themselves, rules that are values, and programs of agents.

Rules are written out where they are called. The arguments of `r_name[…]` are put in the place of the parameters, those
of `r_name(…)` are evaluated before. That makes a difference if the rule has a sequence, which changes what a term means
on the way, and if it updates a parameter, which then stands for a location.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Bound, Deferred, Environment, bind
from asset.frontends.asm.inputs import MOST_DRAWN
from asset.frontends.asm.kinds import Elements, ScalarSort
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.rule_calls import RuleCall
from asset.frontends.asm.statics import unknown
from asset.frontends.asm.values import Scalar, UndefValue, Value, contains, noun
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.asm.rules import Rules

MOST_UNFOLDED = 256
"""How many calls a rule that calls itself more than once may become."""

_MAY_FAIL = frozenset({"quot", "rem", "div", "mod", "^", "/"})
_SEQUENCES = (t.SequenceRule, t.LocalsRule, t.RoundsRule, t.ReturnRule)

Location = tuple[t.Name | t.Apply, Environment]
"""A location as it is written, with what its variables mean."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be done in a step: rounds of a loop, calls of a rule by itself inside each other, and combinations of
    inputs that are asked for."""

    rounds: int = 16
    calls: int | None = None
    """As many as `rounds` if a rule calls itself once, fewer if it does more often."""
    choices: int = MOST_DRAWN


class Calls:
    """Writes the calls of one step."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._locations: dict[str, tuple[Bound, Location]] = {}
        """What the parameters of the rule that is being called stand for, if they are given locations."""
        self._sequential: dict[str, bool] = {}

    # --- by name ----------------------------------------------------------------------------------------------------

    def call(self, rule: t.CallRule, env: Environment) -> None:
        names = self._rules.terms.names
        called = names.rules.get(rule.name)
        if called is not None:
            self._call(rule, called, env)
        elif rule.name == "program":
            self._program(rule, env)
        elif rule.by_value and rule.name in names.functions:
            self.fire(t.FireRule(rule.span, t.Apply(rule.span, rule.name, rule.args), ()), env)
        elif rule.name in names.functions or rule.name in env:
            self.fire(t.FireRule(rule.span, t.Name(rule.span, rule.name), rule.args), env)
        else:
            raise unknown(names, rule.name, rule.span)

    def _call(self, rule: t.CallRule, called: t.RuleDefinition, env: Environment) -> None:
        rules, span = self._rules, rule.span
        if len(rule.args) != len(called.params):
            raise wrong_number(rule.name, len(called.params), len(rule.args), span)
        if rule.name in rules.active and rules.active.count(rule.name) >= self._most_calls(called):
            self._too_many(rule.name, span)
            return
        inner: dict[str, Bound] = {"self": env["self"]} if "self" in env else {}
        locations: dict[str, tuple[Bound, Location]] = {}
        shown: list[Value] = []
        for param, arg in zip(called.params, rule.args, strict=True):
            value = self._argument(rule, called, arg, env)
            if isinstance(param, t.Name):
                inner[param.name] = value
                if isinstance(arg, t.Name | t.Apply) and not rule.by_value:
                    locations[param.name] = value, self._place(arg, env)
            elif not isinstance(value, Deferred):
                bind(param, value, inner)
            shown.append(rules.terms.value(arg, env) if isinstance(value, Deferred) else value)
        self._write(called, inner, locations, tuple(shown))

    def _write(
        self,
        called: t.RuleDefinition,
        env: Environment,
        locations: dict[str, tuple[Bound, Location]],
        shown: tuple[Value, ...],
    ) -> None:
        rules = self._rules
        outer = rules.active, rules.writer.calling, self._locations
        rules.active = (*rules.active, called.name)
        rules.writer.calling += (RuleCall(called.name, shown),)
        self._locations = locations
        rules.rule(called.body, env)
        rules.active, rules.writer.calling, self._locations = outer

    def _argument(self, rule: t.CallRule, called: t.RuleDefinition, arg: t.Term, env: Environment) -> Value | Deferred:
        """The value, or the term itself if it may mean something else where the parameter is used."""
        if not rule.by_value and (_may_fail(arg) or self._has_sequence(called)):
            static = self._rules.terms.static(arg, env)
            return Deferred(arg, env) if static is None else static
        return self._rules.held(self._rules.terms.value(arg, env), arg.span)

    def _has_sequence(self, rule: t.RuleDefinition) -> bool:
        """Whether it changes what terms mean, itself or in what it calls."""
        if rule.name not in self._sequential:
            self._sequential[rule.name] = False
            self._sequential[rule.name] = any(
                isinstance(each, _SEQUENCES) or any(map(self._has_sequence, self.called(each)))
                for each in t.walk(rule.body)
            )
        return self._sequential[rule.name]

    def called(self, node: t.Node, seen: frozenset[str] = frozenset()) -> list[t.RuleDefinition]:
        """The rules that a node may call, without those that were seen."""
        names = self._rules.terms.names
        found: Sequence[str] = ()
        match node:
            case t.CallRule(name=name) if name in names.rules:
                found = (name,)
            case t.CallRule(name="program"):
                found = [each.name for each in names.agents.values()]
            case t.CallRule() | t.FireRule():
                found = names.rule_values
        return [names.rules[name] for name in dict.fromkeys(found) if name in names.rules and name not in seen]

    def _place(self, term: t.Name | t.Apply, env: Environment) -> Location:
        """The location, or if it is a parameter, what that stands for."""
        bound, place = self._locations.get(term.name, (None, (term, env)))
        return place if isinstance(term, t.Name) and bound is env.get(term.name) else (term, env)

    def location(self, term: t.Name | t.Apply, env: Environment) -> Location | None:
        """What a parameter that is updated stands for; None if it is no parameter."""
        if not isinstance(term, t.Name) or term.name not in env:
            return None
        place = self._place(term, env)
        if place[0] is term:
            raise Rejected(
                f"{term.name} stands for a value, and no rule can update it",
                term.span,
                "update a function, or call the rule with a location: r_name[f($x)]",
            )
        return place

    # --- rules that call themselves ---------------------------------------------------------------------------------

    def _most_calls(self, rule: t.RuleDefinition) -> int:
        limits = self._rules.limits
        if limits.calls is not None:
            return limits.calls
        times = sum(self._leads_to(each, rule.name) for each in t.walk(rule.body))
        return limits.rounds if times <= 1 else min(limits.rounds, int(log(MOST_UNFOLDED, times)))

    def _leads_to(self, node: t.Node, name: str, seen: frozenset[str] = frozenset()) -> bool:
        for called in self.called(node, seen):
            further = seen | {called.name}
            if called.name == name or any(self._leads_to(each, name, further) for each in t.walk(called.body)):
                return True
        return False

    def _too_many(self, name: str, span: Span) -> None:
        if not self._rules.checking:
            deep = self._rules.active.count(name)
            text = f"{name} calls itself more than {deep} times inside each other; -p calls={2 * deep} allows more"
            self._rules.writer.emit(n.Fail(span, FaultKind.LIMIT, (text,)))

    # --- rules that are values --------------------------------------------------------------------------------------

    def fire(self, rule: t.FireRule, env: Environment) -> None:
        """The rule that the term is. It is a model error if the term is `undef`."""
        rules, span = self._rules, rule.span
        value = rules.held(rules.terms.value(rule.rule, env), span)
        if isinstance(value, UndefValue):
            self._no_rule(span)
            return
        if not isinstance(value, Scalar) or not isinstance(value.kind, Elements) or value.kind.name != "Rule":
            raise Rejected(f"a rule is needed here, and this is {noun(value)}", span, "write r_name[…], or f := t")
        codes = value.codes if value.codes is not None else sorted(value.kind.listed)
        fits = [name for name in map(rules.terms.names.rule_of, codes) if self._takes(name, len(rule.args))]
        if not fits:
            raise Rejected(
                f"no rule that this can be takes {len(rule.args)} arguments", span, "give as many as its rules have"
            )
        self._one_of(rule, value, fits, env)

    def _takes(self, name: str, count: int) -> bool:
        called = self._rules.terms.names.rules.get(name)
        return called is not None and len(called.params) == count

    def _one_of(self, rule: t.FireRule, value: Scalar, names: Sequence[str], env: Environment) -> None:
        if not names:
            self._no_rule(rule.span)
            return
        code = self._rules.terms.names.rule_code(names[0])
        self._rules.branching(
            rule.span,
            c.equal(rule.span, value.expr, c.const(rule.span, code)),
            lambda: self.call(t.CallRule(rule.span, names[0], rule.args), env),
            lambda: self._one_of(rule, value, names[1:], env),
        )

    def _no_rule(self, span: Span) -> None:
        if not self._rules.checking:
            text = "there is no rule to fire: the term is undef, or its rule takes other arguments"
            self._rules.writer.emit(n.Fail(span, FaultKind.ASSERTION, (text,)))

    # --- programs of agents -----------------------------------------------------------------------------------------

    def _program(self, rule: t.CallRule, env: Environment) -> None:
        """The rule of an agent, who is `self` in it."""
        names = self._rules.terms.names
        if len(rule.args) != 1:
            raise Rejected("program takes one argument, the agent", rule.span)
        if not names.agents:
            raise Rejected("no agent has a program", rule.span, "write agent D: r_name[] in the initial state")
        agent = self._rules.held(self._rules.terms.value(rule.args[0], env), rule.span)
        self._dispatch(rule, agent, list(names.agents.items()))

    def _dispatch(self, rule: t.CallRule, agent: Value, programs: list[tuple[str, t.CallRule]]) -> None:
        if not programs:
            return
        domain, call = programs[0]
        terms = self._rules.terms
        sort = terms.names.domains.get(domain)
        if not isinstance(sort, ScalarSort):
            raise unknown(terms.names, domain, rule.span)
        members = terms.set(t.Name(rule.span, domain), {})
        test = contains(members, agent, rule.span)
        known = terms.folding.possible(agent) if isinstance(agent, Scalar) else None
        if known is not None and set(known) <= set(members.universe):
            test = c.const(rule.span, 1)
        self._rules.branching(
            rule.span,
            test,
            lambda: self.call(call, {"self": agent}),
            lambda: self._dispatch(rule, agent, programs[1:]),
        )


def _may_fail(term: t.Term) -> bool:
    """Whether evaluating it can be a model error."""
    return any(
        (isinstance(each, t.Binary) and each.op in _MAY_FAIL)
        or (isinstance(each, t.Apply) and each.name in ("idiv", "mod", "pwr", "div"))
        for each in t.walk(term)
    )
