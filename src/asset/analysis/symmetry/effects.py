"""What a command does to cells, in a form that renaming keeps: each value that a cell becomes, with its condition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from asset.analysis.symmetry.summaries import Summarizer, TermSummary
from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.values.domains import bits

_KEPT = -1
"""Instead of a value that a cell becomes: it stays as it is."""

Becomes = frozenset[tuple[Term, int]]
"""Conditions, and the place in the domain of the value that the cell becomes if each holds, which it did not have
before. If none holds, it stays as it is."""


@dataclass(frozen=True)
class Effect:
    """What a command does. `values` are numbers that cells become whose values cannot be listed."""

    guard: Term
    fault: Term
    becomes: frozenset[tuple[int, Becomes]]
    values: frozenset[tuple[int, Term]]
    roles: frozenset[int]
    """In which of the sets that requirements speak of, by number, the command is."""

    @property
    def terms(self) -> Iterator[Term]:
        yield self.guard
        yield self.fault
        yield from (condition for _, listed in self.becomes for condition, _ in listed)
        yield from (number for _, number in self.values)


def canonical(summarizer: Summarizer, summary: TermSummary) -> TermSummary:
    """The same with conditions that do not depend on the order in which they were worked out."""
    condition = summarizer.prime_implicants.condition
    return replace(summary, guard=condition(summary.guard), fault=condition(summary.fault))


def effect_of(summarizer: Summarizer, summary: TermSummary, roles: frozenset[int]) -> Effect:
    terms, known = summarizer.terms, canonical(summarizer, summary)
    becomes, values, condition = [], [], summarizer.prime_implicants.condition
    masks, given = terms.told_by(known.guard), dict[Term, Term]()
    for cell, number in _updated(terms, known).items():
        listed = _listed(terms, cell, number)
        if listed is None:
            values.append((cell, number))
            continue
        changes = _changes(terms, cell, _if_present(terms, known, cell, listed))
        there = _joined(terms, ((condition(terms.given(c, masks, given)), at) for c, at in changes))
        if there:
            becomes.append((cell, there))
    return Effect(known.guard, known.fault, frozenset(becomes), frozenset(values), roles)


def _changes(terms: Terms, cell: int, listed: Becomes) -> Iterator[tuple[Term, int]]:
    """Without what stays as it is: to assign the value that is there does nothing."""
    full = terms.cells.full[cell]
    return ((terms.both(c, terms.within(cell, full & ~(1 << at))), at) for c, at in listed if at != _KEPT)


def _updated(terms: Terms, summary: TermSummary) -> dict[int, Term]:
    """What cells become; also those that may become absent, as what controls them changes."""
    found = dict(summary.updates)
    for cell, known in terms.presence.items():
        if known.by in summary.updates and cell not in found:
            found[cell] = terms.value_of(cell)
    return found


def _if_present(terms: Terms, summary: TermSummary, cell: int, listed: Becomes) -> Becomes:
    """The same of a cell that becomes, or stays, absent if what controls it says so afterwards."""
    known = terms.presence.get(cell)
    if known is None:
        return listed
    place = known.absent.bit_length() - 1
    if known.by not in summary.updates:
        there = terms.within(known.by, known.mask)
        here = [(terms.both(condition, there), at) for condition, at in listed]
        return _joined(terms, [*here, (terms.negation(there), _KEPT)])
    there = _has_value(terms, known.by, summary.updates[known.by], known.mask)
    was = terms.within(known.by, known.mask)
    here = [(terms.both(condition, there, was if at == _KEPT else terms.true), at) for condition, at in listed]
    blank = terms.cells.index(cell, terms.cells.uses[cell].blank)
    assert blank is not None
    new = [(terms.both(condition, there, terms.negation(was)), blank) for condition, at in listed if at == _KEPT]
    return _joined(terms, [*here, *new, (terms.negation(there), place)])


def _has_value(terms: Terms, cell: int, number: Term, mask: int) -> Term:
    """The number is a value of the mask."""
    domain = terms.cells.domains[cell] or ()
    values = [domain[k] for k in bits(mask)]
    return terms.either(*(terms.zero(terms.minus(number, terms.constant(value))) for value in values))


def _joined(terms: Terms, listed: Iterable[tuple[Term, int]]) -> Becomes:
    found: dict[int, Term] = {}
    for condition, place in listed:
        found[place] = terms.either(found.get(place, terms.false), condition)
    return frozenset((condition, place) for place, condition in found.items() if condition != terms.false)


def _listed(terms: Terms, cell: int, number: Term) -> Becomes | None:
    """The number as values of the cell, each with its condition; None if they cannot be listed."""
    if terms.cells.domains[cell] is None:
        return None
    found: dict[int, Term] = {}
    for condition, leaf in terms.cases_of(number):
        for inner, value in _outcomes(terms, cell, leaf):
            if value is None:
                return None
            found[value] = terms.either(found.get(value, terms.false), terms.both(condition, inner))
    return _joined(terms, ((condition, value) for value, condition in found.items()))


def _outcomes(terms: Terms, cell: int, number: Term) -> list[tuple[Term, int | None]]:
    """Conditions and places; a value that is none of the cell's is a model error, so it does not matter."""
    place, known, source = terms.cells.index, terms.known(number), terms.only_cell(number)
    if number in (terms.value_of(cell), terms.name_in(cell)):
        return [(terms.true, _KEPT)]
    if known is not None:
        at = place(cell, known)
        return [] if at is None else [(terms.true, at)]
    condition = terms.as_condition(number)
    if condition is not None:
        options = [(condition, place(cell, 1)), (terms.negation(condition), place(cell, 0))]
        return [(c, at) for c, at in options if at is not None]
    if source is None:
        return [(terms.true, None)]
    masks: dict[int, int] = defaultdict(int)
    for k, value in enumerate(terms.results(number)):
        at = place(cell, value)
        if at is not None:
            masks[at] |= 1 << k
    return [(terms.within(source, mask), at) for at, mask in masks.items()]
