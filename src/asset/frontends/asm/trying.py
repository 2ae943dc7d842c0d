"""`try R catch l S`: what R updates, unless it gives one of the locations two values at once; then what S does.

R is written twice. First its updates are only noted, in locals, and compared: two that are neither in branches that
exclude each other nor hidden by a later stage of a sequence clash if they give one location different values. Then, if
none do, R is written as if it stood alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Environment
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.updates import Path, exclusive
from asset.ir import nodes as n

if TYPE_CHECKING:
    from asset.frontends.asm.firing import Record
    from asset.frontends.asm.rules import Rules

_NOT_TWICE = (t.ExtendRule, t.LocalsRule, t.ReturnRule, t.RoundsRule, t.TryRule)

Noted = list[tuple["Record", Path]]
Place = tuple[range, tuple[n.Expr, ...]]
"""A location: the variables that it is in, and its indices."""


def trying(rules: Rules, rule: t.TryRule, env: Environment) -> None:
    """Writes the rule."""
    inside = rules.footprints.walk(rule.rule)
    if rules.footprints.chooses(rule.rule) or any(isinstance(each, _NOT_TWICE) for each in inside):
        raise Rejected(
            "a rule behind try cannot choose, extend, loop or try: it is written twice",
            rule.span,
            "choose before it: choose $x in D with G do try … catch …",
        )
    places = [place for each in rule.locations if (place := _place(rules, each, env)) is not None]
    noted: Noted = []
    written = rules.writer.block(lambda: noted.extend(rules.noted(rule.rule, env)))
    for flag in sorted(c.slots_in(*(record.done for record, _ in noted))):
        rules.writer.emit(n.SetLocal(rule.span, flag, c.const(rule.span, 0)))
    for statement in written:
        rules.writer.emit(statement)
    clash = c.disjunction(rule.span, _clashes(rule, noted, places))
    rules.branching(rule.span, clash, lambda: rules.rule(rule.otherwise, env), lambda: rules.rule(rule.rule, env))


def _place(rules: Rules, location: t.Name | t.Apply, env: Environment) -> Place | None:
    """Where the location is; None if it is an output that is not stored."""
    if location.name in rules.terms.names.unread:
        return None
    found = rules.calls.location(location, env)
    location, env = (location, env) if found is None else found
    given = location.args if isinstance(location, t.Apply) else ()
    args = tuple(rules.held(rules.terms.value(arg, env), arg.span) for arg in given)
    stored = rules.state.stored[rules.target(location).name]
    return range(stored.first, stored.last + 1), stored.indices(args, location.span)


def _clashes(rule: t.TryRule, noted: Noted, places: list[Place]) -> Iterator[n.Expr]:
    span = rule.span
    for at, (record, path) in enumerate(noted):
        for later, (other, way) in enumerate(noted[at + 1 :], at + 1):
            cell = record.cell
            if cell.variable != other.cell.variable or exclusive(path, way):
                continue
            hidden = (
                each.hits(cell.variable, cell.indices, span)
                for each in (*_hiding(noted, at, way), *_hiding(noted, later, path))
            )
            differs = c.binary(span, n.BinaryOp.NE, cell.value, other.cell.value)
            both = (record.done, other.hits(cell.variable, cell.indices, span), differs)
            caught = (_is_at(record, place, rule) for place in places)
            yield c.conjunction(
                span, (*both, c.negation(span, c.disjunction(span, hidden)), c.disjunction(span, caught))
            )


def _hiding(noted: Noted, at: int, rival: Path) -> Iterator[Record]:
    """Updates of later stages of a sequence that the update is in, and its rival is not."""
    path, outside = dict(noted[at][1]), dict(rival)
    for each, way in noted[at + 1 :]:
        parted = next((number for number, branch in way if path.get(number, branch) != branch), None)
        if parted is not None and parted not in outside:
            yield each


def _is_at(record: Record, place: Place, rule: t.TryRule) -> n.Expr:
    variables, indices = place
    if record.cell.variable not in variables:
        return c.const(rule.span, 0)
    pairs = zip(indices, record.cell.indices, strict=False)  # what comes behind are the elements of a collection
    return c.conjunction(rule.span, (c.equal(rule.span, a, b) for a, b in pairs))
