"""Sequences that are written as they are run: each stage changes the state itself, and what comes next reads that.

A sequence sees its own updates and nobody else's, so in general what it has updated is kept beside the state (`rules`):
every round of a loop is written out, and every read looks at all updates before it. But if no rule that fires at the
same time updates the same functions, the state itself has what it needs: a stage works out its updates, then makes
them, and a loop is a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Deferred, Environment
from asset.frontends.asm.updates import compatible
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.asm.rules import Made, Rules

_PLAIN = (t.Skip, t.Update, t.Block, t.SequenceRule, t.RoundsRule, t.IfRule, t.CaseRule, t.ForallRule, t.ChooseRule)
_SEQUENCES = (t.SequenceRule, t.RoundsRule)
_OUTER = (t.LetRule, t.ForallRule)
"""Rules in which no further sequence may be: what they have evaluated could change."""


Aliases = Mapping[str, frozenset[str]]
"""The names in the terms that parameters stand for: these terms are evaluated, and updated, where a parameter is."""


class Footprints:
    """The functions that rules update and mention, as far as the text tells, with the rules that they call."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._updated: dict[int, frozenset[str]] = {}

    def updated(self, rule: t.Rule, aliases: Aliases) -> frozenset[str]:
        """What it may update. A location that is an argument may be updated, too."""
        if id(rule) not in self._updated:
            self._updated[id(rule)] = frozenset(self._names_updated(rule))
        return _spelled_out(self._updated[id(rule)], aliases)

    def aliases(self, env: Environment) -> Aliases:
        """What the parameters in the environment stand for."""
        return {
            name: self.mentioned(bound.term, self.aliases(bound.env))
            for name, bound in env.items()
            if isinstance(bound, Deferred)
        }

    def _names_updated(self, rule: t.Rule) -> Iterator[str]:
        for each in self.walk(rule):
            match each:
                case t.Update(location=location) | t.ReturnRule(location=location):
                    yield location.name
                case t.CallRule(args=args) | t.FireRule(args=args):
                    yield from (arg.name for arg in args if isinstance(arg, t.Name | t.Apply))

    def mentioned(self, node: t.Node, aliases: Aliases) -> frozenset[str]:
        """All names in it, and in the definitions of those."""
        names = {each.name for each in self._with_definitions(node) if isinstance(each, t.Name | t.Apply)}
        return _spelled_out(frozenset(names), aliases)

    def chooses(self, rule: t.Rule) -> bool:
        """Whether a rule or a term in it may choose something."""
        return any(isinstance(each, t.ChooseRule) or _is_choice(each) for each in self._with_definitions(rule))

    def _with_definitions(self, node: t.Node) -> Iterator[t.Node]:
        """The nodes in it, and in the definitions of functions that it mentions."""
        seen: set[str] = set()
        pending: list[t.Node] = [node]
        definitions = self._rules.terms.names.functions
        while pending:
            for each in self.walk(pending.pop()):
                yield each
                if isinstance(each, t.Name | t.Apply) and each.name not in seen:
                    seen.add(each.name)
                    defined = definitions.get(each.name)
                    if defined is not None and defined.definition is not None:
                        pending.append(defined.definition.body)

    def walk(self, rule: t.Node, seen: frozenset[str] = frozenset()) -> Iterator[t.Node]:
        """The nodes of a rule and of those that it calls."""
        for each in t.walk(rule):
            yield each
            for called in self._rules.calls.called(each, seen):
                yield from self.walk(called.body, seen | {called.name})


def _is_choice(node: t.Node) -> bool:
    """Whether it is an element or a sequence of a set whose order is left open. That of an interval is not."""
    match node:
        case t.Apply(name="asSequence", args=(t.Interval(),)):
            return False
        case t.Apply(name="chooseone" | "asSequence"):
            return True
    return False


def _spelled_out(names: frozenset[str], aliases: Aliases) -> frozenset[str]:
    return names.union(*(aliases[name] for name in names if name in aliases))


class InPlace:
    """Writes sequences so, where that is possible."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.beside: frozenset[str] = frozenset()
        """What rules that fire at the same time may update."""
        self.staged: list[Made] = []
        """Of each sequence that is open, the updates of the stage that is written."""
        self._passed: list[tuple[int, int, set[int]]] = []
        """Where the numbers were after each of these sequences, and which indices were in use."""
        self._again: list[int] = []
        """Locals that note that something was updated in a round."""

    @contextmanager
    def beside_those(self, others: Iterable[t.Rule], env: Environment) -> Iterator[None]:
        """What is written meanwhile fires at the same time as the others."""
        outer = self.beside
        if not self.staged:
            footprints = self._rules.footprints
            aliases = footprints.aliases(env)
            self.beside = outer.union(*(footprints.updated(each, aliases) for each in others))
        yield
        self.beside = outer

    # --- whether it fits --------------------------------------------------------------------------------------------

    def fits(self, rule: t.SequenceRule | t.RoundsRule, env: Environment) -> bool:
        if self.staged:
            return True  # the one around it fits only if this one does
        rules = self._rules
        aliases = rules.footprints.aliases(env)
        updated = rules.footprints.updated(rule, aliases)
        if rules.follows_on or updated & self.beside:
            return False
        stored = rules.state.stored
        if any(stored[name].function.category != "controlled" for name in updated if name in stored):
            return False
        return self._is_plain(rule, frozenset(), aliases)

    def _is_plain(self, rule: t.Rule, active: frozenset[str], aliases: Aliases) -> bool:
        """Whether all of it can be written in place."""
        if isinstance(rule, t.CallRule):
            called = self._rules.terms.names.rules.get(rule.name)
            if called is None or called.returns or called.name in active or len(called.params) != len(rule.args):
                return False
            if rule.by_value and self._has(called.body, _SEQUENCES):
                return False
            return self._is_plain(called.body, active | {called.name}, self._given(rule, called, aliases))
        if not isinstance(rule, (*_PLAIN, t.LetRule)):
            return False
        if isinstance(rule, _OUTER) and self._has(rule, _SEQUENCES):
            return False
        if isinstance(rule, t.RoundsRule) and self._rules.footprints.chooses(rule):
            return False
        if isinstance(rule, t.Block) and not self._is_apart(rule, aliases):
            return False
        return all(self._is_plain(each, active, aliases) for each in t.parts(rule) if isinstance(each, t.RULES))

    def _given(self, rule: t.CallRule, called: t.RuleDefinition, aliases: Aliases) -> Aliases:
        """What the parameters of the rule stand for in the call."""
        pairs = zip(called.params, rule.args, strict=True)
        mentioned = self._rules.footprints.mentioned
        return {param.name: mentioned(arg, aliases) for param, arg in pairs if isinstance(param, t.Name)}

    def _has(self, rule: t.Rule, kinds: tuple[type[t.Node], ...]) -> bool:
        return any(isinstance(each, kinds) for each in self._rules.footprints.walk(rule))

    def _is_apart(self, block: t.Block, aliases: Aliases) -> bool:
        """Whether what the others read is not changed by a sequence that is in one of them."""
        footprints = self._rules.footprints
        for each in block.rules:
            if self._has(each, _SEQUENCES):
                changed = footprints.updated(each, aliases)
                others = (other for other in block.rules if other is not each)
                if any(changed & footprints.mentioned(other, aliases) for other in others):
                    return False
        return True

    # --- writing it -------------------------------------------------------------------------------------------------

    def sequence(self, rule: t.SequenceRule, env: Environment) -> None:
        self._once(rule, env, lambda: self._stages(rule.span, rule.rules, env))

    def rounds(self, rule: t.RoundsRule, env: Environment) -> None:
        self._once(rule, env, lambda: self._loop(rule, env))

    def _once(self, rule: t.Rule, env: Environment, write: Callable[[], None]) -> None:
        """Writes a sequence; when conflicts are looked for, it is passed over: it has none with other rules."""
        rules = self._rules
        if self.staged:
            write()
            return
        if rules.checking:
            rules.number, rules.branch, in_use = self._passed.pop(0)
            rules.state.inputs.in_use = set(in_use)
            return
        outer = rules.state.current
        rules.state.current = rules.footprints.updated(rule, rules.footprints.aliases(env))
        write()
        rules.state.current = outer
        self._passed.append((rules.number, rules.branch, set(rules.state.inputs.in_use)))

    def _stages(self, span: Span, stages: Sequence[t.Rule], env: Environment) -> None:
        number = self._rules.next_branch()
        for place, each in enumerate(stages):
            self._stage(span, (number, place), each, env)

    def _stage(self, span: Span, way: tuple[int, int], rule: t.Rule, env: Environment, certain: bool = True) -> None:
        """Writes a stage, and then its updates."""
        rules, writer = self._rules, self._rules.writer
        self.staged.append([])
        with rules.within_stage(way, certain):
            written = writer.block(lambda: rules.rule(rule, env))
        made = self.staged.pop()
        for flag in sorted(c.slots_in(*(record.done for record, _ in made))):
            writer.emit(n.SetLocal(span, flag, c.const(span, 0)))
        for statement in written:
            writer.emit(statement)
        for record, site in made:
            cell, at = record.cell, rules.sites[site].span
            noted = (n.SetLocal(at, again, c.const(at, 1)) for again in self._again)
            writer.branch(at, record.done, (n.SetState(at, cell.variable, cell.indices, cell.value), *noted))
        self._compare(made)

    def _compare(self, made: Made) -> None:
        """Updates of one stage conflict if one of them is not what the state has then."""
        sites = self._rules.sites
        for record, site in made:
            rivals = [other for _, other in made if other != site and sites[site].function == sites[other].function]
            if any(not compatible(sites[max(site, other)], sites[min(site, other)], False) for other in rivals):
                self._rules.updates.compare(site, record.cell, record.done)

    def _loop(self, rule: t.RoundsRule, env: Environment) -> None:
        """Rounds, while the test holds and the last one has updated something; one more than allowed is an error."""
        rules, writer, span, limit = self._rules, self._rules.writer, rule.span, self._rules.limits.rounds
        number, rounds, again = rules.next_branch(), writer.slot("round"), writer.slot("again")

        def write() -> None:
            test = c.const(span, 1) if rule.test is None else rules.terms.truth(rule.test, env)
            going = c.conjunction(span, (n.Local(span, again), test))
            writer.branch(span, c.negation(span, going), (n.Break(span),))
            writer.emit(n.SetLocal(span, again, c.const(span, 0)))
            text = f"the rule takes more than {limit} rounds in a step; -p rounds={2 * limit} allows more"
            last = c.equal(span, n.Local(span, rounds), c.const(span, limit))
            writer.branch(span, last, (n.Fail(span, FaultKind.LIMIT, (text,)),))
            self._stage(span, (number, 0), rule.body, env, certain=False)

        self._again.append(again)
        with rules.state.inputs.in_some_steps():
            body = writer.block(write)
        self._again.pop()
        writer.emit(n.SetLocal(span, again, c.const(span, 1)))
        bounds = c.const(span, 0), c.const(span, limit + 1), c.const(span, 1)
        writer.emit(n.For(span, rounds, *bounds, body))
