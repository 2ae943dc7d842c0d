"""A program as terms: what its commands do, and what is asked of it. On these a symmetry is verified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from asset.analysis.symmetry.summaries import Summarizer, TermSummary
from asset.analysis.symmetry.terms import Beyond, Term, TermImage, Terms
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values.domains import bits
from asset.analysis.values.state_access import touched_cells
from asset.analysis.watch import OutOfTime, Watch
from asset.ir.groups import Permutation
from asset.ir.program import Program
from asset.ir.requirements import Predicate, Requirement, command_sets

KEPT = -1
"""Instead of a value that a cell becomes: it stays as it is."""

Becomes = frozenset[tuple[Term, int]]
"""Conditions, and the place in the domain of the value that the cell becomes if each holds; or KEPT."""


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


@dataclass
class DescribedProgram:
    """Commands, and the predicates asked for, as terms. Of commands and predicates that cannot be followed there is
    instead which cells they touch."""

    program: Program
    terms: Terms
    effects: list[Effect | None]
    predicates: dict[Predicate, TermSummary | set[int]]
    sets: list[frozenset[int]] = field(default_factory=list)
    """The sets of commands that requirements speak of, by number."""
    unfollowed: dict[int, set[int]] = field(default_factory=dict)
    """Commands without an effect."""

    @property
    def cells(self) -> UsedCells:
        return self.terms.cells

    @cached_property
    def fixed(self) -> set[int]:
        """The cells that no symmetry moves."""
        touching = [cells for cells in self.predicates.values() if isinstance(cells, set)]
        return set().union(*self.unfollowed.values(), *touching)

    @property
    def kept(self) -> Iterator[TermSummary]:
        """The predicates that were followed."""
        return (each for each in self.predicates.values() if isinstance(each, TermSummary))

    @cached_property
    def speaking_of(self) -> dict[int, list[int]]:
        """By cell: the commands with an effect that speaks of it."""
        found: dict[int, list[int]] = defaultdict(list)
        for command, effect in enumerate(self.effects):
            for cell in bits(self.support(effect)) if effect is not None else ():
                found[cell].append(command)
        return found

    def asking(self, predicates: Iterable[Predicate]) -> DescribedProgram:
        """The same with these of the predicates only."""
        return replace(self, predicates={predicate: self.predicates[predicate] for predicate in predicates})

    def asked_by(self, requirements: Sequence[Requirement]) -> DescribedProgram:
        """The same with what these requirements ask only."""
        named = {each for requirement in requirements for each in command_sets(requirement)}
        roles = frozenset(number for number, each in enumerate(self.sets) if each in named)
        effects = [effect and replace(effect, roles=effect.roles & roles) for effect in self.effects]
        predicates = dict.fromkeys(predicate for each in requirements for predicate in each.predicates)
        return replace(self.asking(predicates), effects=effects)

    def support(self, effect: Effect) -> int:
        """The cells that the effect speaks of, as a set of bits."""
        found = 0
        for term in effect.terms:
            found |= self.terms.support(term)
        for cell, _ in (*effect.becomes, *effect.values):
            found |= 1 << cell
        return found


def describe(program: Program, requirements: Iterable[Requirement], watch: Watch | None = None) -> DescribedProgram:
    """The program with what the requirements ask of states and of commands.

    When the time is over, what is left is not followed.
    """
    watch = watch or Watch()
    kept = list(requirements)
    sets = list(dict.fromkeys(named for each in kept for named in command_sets(each)))
    cells = UsedCells(program)
    terms = Terms(cells)
    summarizer = Summarizer(program, terms, watch)
    described = DescribedProgram(program, terms, [], {}, sets)
    for command, (family, indices) in enumerate(program.commands):
        roles = frozenset(number for number, named in enumerate(sets) if command in named)
        try:
            watch.at("what commands do", command, program.nr_commands)
            summary = summarizer.command(family, indices)
            described.effects.append(_effect(summarizer, summary, roles))
        except (Beyond, RecursionError, OutOfTime):
            described.effects.append(None)
            described.unfollowed[command] = _touched(program, family.function)
    for predicate in dict.fromkeys(each for requirement in kept for each in requirement.predicates):
        try:
            described.predicates[predicate] = summarizer.predicate(predicate)
        except (Beyond, RecursionError, OutOfTime):
            described.predicates[predicate] = _touched(program, predicate.function)
    return described


def _touched(program: Program, function: int) -> set[int]:
    reads, writes = touched_cells(program, function)
    return {*reads, *writes}


def _effect(summarizer: Summarizer, summary: TermSummary, roles: frozenset[int]) -> Effect:
    terms, prime = summarizer.terms, summarizer.prime_implicants
    becomes, values = [], []
    masks, given = terms.told_by(summary.guard), dict[Term, Term]()
    for cell, number in _updated(terms, summary).items():
        listed = _listed(terms, cell, number)
        if listed is None:
            values.append((cell, number))
        else:
            there = _joined(
                terms, ((terms.given(c, masks, given), at) for c, at in _if_present(terms, summary, cell, listed))
            )
            if cell in terms.presence or cell in terms.cells.controlling:
                there = _joined(terms, ((prime.condition(c), at) for c, at in there))
            becomes.append((cell, there))
    return Effect(summary.guard, summary.fault, frozenset(becomes), frozenset(values), roles)


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
        return _joined(terms, [*here, (terms.negation(there), KEPT)])
    there = _has_value(terms, known.by, summary.updates[known.by], known.mask)
    was = terms.within(known.by, known.mask)
    here = [(terms.both(condition, there, was if at == KEPT else terms.true), at) for condition, at in listed]
    blank = terms.cells.index(cell, terms.cells.uses[cell].blank)
    assert blank is not None
    new = [(terms.both(condition, there, terms.negation(was)), blank) for condition, at in listed if at == KEPT]
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
        return [(terms.true, KEPT)]
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


# --- renamed -------------------------------------------------------------------------------------------------------


def is_symmetry(described: DescribedProgram, permutation: Permutation) -> Permutation | None:
    """The permutation with what it makes of commands, if it is a symmetry; None if that was not shown.

    Each command, renamed, is a command; each property asked for stays itself. What could not be followed touches only
    cells that stay.
    """
    if not _is_permutation(described.cells, permutation):
        return None
    image = TermImage(described.terms, permutation)
    if any(permutation.cells[c] != c or c in permutation.values for c in described.fixed):
        return None
    if not _keeps_presence(described.cells, permutation):
        return None
    for prop in described.kept:
        if image.of(prop.guard) != prop.guard or image.of(prop.fault) != prop.fault:
            return None
    commands = _renamed_commands(described, image)
    uses = described.cells.uses
    return None if commands is None else Permutation(permutation.cells, commands, permutation.values, uses)


def _keeps_presence(cells: UsedCells, permutation: Permutation) -> bool:
    """Whether the image of a cell is in use exactly if the cell is."""
    to = permutation.cells
    if any(cell in permutation.values for cell in cells.controlling):
        return False
    return all(
        cells.presence.get(to[c]) == (None if known is None else replace(known, by=to[known.by]))
        for c in range(len(to))
        for known in [cells.presence.get(c)]
    )


def _is_permutation(cells: UsedCells, permutation: Permutation) -> bool:
    """Whether it permutes cells of the same type, and the values of each."""
    if sorted(permutation.cells) != list(range(len(cells.domains))):
        return False
    moved = [(c, to) for c, to in enumerate(permutation.cells) if c != to]
    if any(cells.variables[c].type != cells.variables[to].type for c, to in moved):
        return False
    return all(
        sorted(changed) == sorted(changed.values()) and set(changed) <= set(cells.domains[cell] or ())
        for cell, changed in permutation.values.items()
    )


def _renamed_commands(described: DescribedProgram, image: TermImage) -> tuple[int, ...] | None:
    """What becomes of each command. Those that speak of no cell that is moved stay, the others become each other."""
    moved = sorted({command for cell in bits(image.moved) for command in described.speaking_of.get(cell, ())})
    free: dict[Effect, list[int]] = defaultdict(list)
    for command in reversed(moved):
        effect = described.effects[command]
        if effect is not None:
            free[effect].append(command)
    commands = list(range(len(described.effects)))
    for command in moved:
        effect = described.effects[command]
        renamed = None if effect is None else _renamed(described, image, effect)
        if renamed is None or not free.get(renamed):
            return None
        commands[command] = free[renamed].pop()
    return tuple(commands)


def _renamed(described: DescribedProgram, image: TermImage, effect: Effect) -> Effect | None:
    cells = image.permutation.cells
    guard, fault = image.of(effect.guard), image.of(effect.fault)
    if guard is None or fault is None or any(c in image.permutation.values for c, _ in effect.values):
        return None
    becomes = []
    for cell, listed in effect.becomes:
        renamed = frozenset((image.of(c), _place(image, cell, at)) for c, at in listed)
        if any(c is None for c, _ in renamed):
            return None
        becomes.append((cells[cell], renamed))
    values = frozenset((cells[c], image.of(number)) for c, number in effect.values)
    if any(number is None for _, number in values):
        return None
    return Effect(guard, fault, frozenset(becomes), values, effect.roles)  # type: ignore[arg-type]


def _place(image: TermImage, cell: int, place: int) -> int:
    return KEPT if place == KEPT else image.mask(cell, 1 << place).bit_length() - 1
