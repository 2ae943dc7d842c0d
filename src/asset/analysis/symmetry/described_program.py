"""A program as terms: what its commands do, and what is asked of it. On these a symmetry is verified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from asset.analysis.symmetry.effects import Effect
from asset.analysis.symmetry.summaries import TermSummary
from asset.analysis.symmetry.term_image import TermImage
from asset.analysis.symmetry.terms import Terms
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values.domains import bits
from asset.ir.groups import Permutation
from asset.ir.program import Program
from asset.ir.requirements import Predicate, Requirement, command_sets


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
    constants: Mapping[int, int] = field(default_factory=dict)
    """Cells that never change, with the places of their values: what is described are states in which they have these,
    and terms do not speak of them."""

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
    if not keeps_what_is_described(described, permutation):
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


def keeps_what_is_described(described: DescribedProgram, permutation: Permutation) -> bool:
    """Whether the states that terms speak of become such states. Without that, a permutation may be a symmetry of the
    program, but what it makes of a property cannot be told from terms."""
    return _keeps_presence(described.cells, permutation) and _keeps_constants(described, permutation)


def _keeps_constants(described: DescribedProgram, permutation: Permutation) -> bool:
    """Whether what is described becomes itself: the image of a constant cell is one, with the same value."""
    known, to = described.constants, permutation.cells
    return all(known.get(to[c]) == place and c not in permutation.values for c, place in known.items())


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
    return image.mask(cell, 1 << place).bit_length() - 1
