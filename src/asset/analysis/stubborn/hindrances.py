"""What keeps stubborn sets from leaving more out, summed up by families, and what change of the model would help."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from asset.analysis.stubborn.commuting import Conflict, ConflictKind
from asset.analysis.stubborn.derivation import Derivation, Imaginary
from asset.analysis.stubborn.value_flow import Live
from asset.ir.program import Program
from asset.span import Span


@dataclass(frozen=True, slots=True)
class FamilyDependence:
    """Of two families, or of one with itself: how many pairs of their transitions are dependent, and mostly by what.

    The conflict is that of `examples`, two transitions by name; `spans` are the lines of both.
    """

    families: tuple[str, str]
    dependent: int
    pairs: int
    variable: str
    kind: ConflictKind
    examples: tuple[str, str]
    spans: tuple[Span | None, Span | None]


@dataclass(frozen=True, slots=True)
class Visibility:
    """A requirement that must not be missed, and how many transitions change what it looks at."""

    name: str
    changing: int


def family_dependences(derivation: Derivation) -> list[FamilyDependence]:
    """Those of which some transitions are dependent, with the most dependent pairs first."""
    program, grouped = derivation.program, _by_families(derivation)
    sizes = {family.name: family.size for family in program.families}
    found = []
    for one, two in combinations_with_replacement(sizes, 2):
        conflicts = grouped.get((one, two), {})
        if conflicts:
            pairs = sizes[one] * (sizes[one] - 1) // 2 if one == two else sizes[one] * sizes[two]
            found.append(_summed_up(program, (one, two), pairs, list(conflicts.values())))
    return sorted(found, key=lambda each: -each.dependent)


_Known = tuple[Live, Live, Conflict]


def _by_families(derivation: Derivation) -> dict[tuple[str, str], dict[frozenset[int], _Known]]:
    """For each two families the pairs of their transitions that do not commute, each once."""
    program = derivation.program
    order = {family.name: number for number, family in enumerate(program.families)}
    found: dict[tuple[str, str], dict[frozenset[int], _Known]] = defaultdict(dict)
    for (one, two), (p, q, conflict) in derivation.conflicts.items():
        if max(one, two) >= program.nr_commands:
            continue
        first, second = (program.commands[command][0].name for command in (one, two))
        if order[first] > order[second]:
            first, second = second, first
        found[first, second].setdefault(frozenset((one, two)), (p, q, conflict))
    return found


def _summed_up(program: Program, families: tuple[str, str], pairs: int, known: list[_Known]) -> FamilyDependence:
    def cause(each: _Known) -> tuple[str, ConflictKind]:
        return program.cell_variables[each[2].cell].name, each[2].kind

    (chosen, _), *_ = Counter(map(cause, known)).most_common(1)
    p, q, conflict = next(each for each in known if cause(each) == chosen)
    return FamilyDependence(
        families=families,
        dependent=len(known),
        pairs=pairs,
        variable=chosen[0],
        kind=chosen[1],
        examples=(program.command_name(p.path.node), program.command_name(q.path.node)),
        spans=(touching(p, conflict.cell), touching(q, conflict.cell)),
    )


def touching(live: Live, cell: int) -> Span | None:
    """The line by which the path assigns to the cell, or looks at it."""
    return live.path.written_at.get(cell) or live.path.read_at.get(cell)


def visibilities(derivation: Derivation) -> Iterator[Visibility]:
    """Of each requirement that must not be missed."""
    commands = derivation.program.nr_commands
    looked_at: dict[int, int] = defaultdict(int)
    for live in derivation.flow.live:
        if live.path.node >= commands:
            looked_at[live.path.node] |= live.path.reads
    for node, cells in sorted(looked_at.items()):
        imaginary: Imaginary = derivation.imaginary[node - commands]
        if imaginary.requirement is not None:
            changing = {each.path.node for each in derivation.flow.live if each.path.writes & cells}
            yield Visibility(imaginary.requirement.name, len(changing))


MOST_ADVICE = 3
"""Of the variables by which families are dependent."""


def advice(derivation: Derivation) -> Iterator[str]:
    """What change of the model, or of what is asked, would help: a sentence for each cause."""
    program = derivation.program
    opaque = (live.path.node for live in derivation.flow.live if live.path.opaque is not None)
    for name in dict.fromkeys(program.commands[node][0].name for node in opaque if node < program.nr_commands):
        yield f"{name} was too complicated to follow (below): shorter steps with fewer cases can be seen through"
    if derivation.crowded:
        yield "so many transitions share a variable that they were not compared one by one: try fewer of them"
    if derivation.hurried:
        yield "there was no time to look at all transitions: --analysis-time gives more"
    by_cause: dict[tuple[str, str], list[FamilyDependence]] = defaultdict(list)
    for each in family_dependences(derivation):
        by_cause[each.variable, _REMEDIES[each.kind]].append(each)
    for (variable, remedy), dependences in list(by_cause.items())[:MOST_ADVICE]:
        yield f"{variable} ({', '.join(map(_pair, dependences))}): {remedy}"
    for visible in visibilities(derivation):
        if 2 * visible.changing >= program.nr_commands:
            many = f"{visible.changing} of {program.nr_commands} transitions"
            yield f"{visible.name} looks at what {many} change, so each matters: ask for the rest without it (--only)"


def _pair(each: FamilyDependence) -> str:
    first, second = each.families
    return f"{first} with itself" if first == second else f"{first} with {second}"


_COMPETING = (
    "one can keep the other from firing, as is right if they compete; if they never fire in the same state, test first "
    "what shows that, such as a program counter"
)
_REMEDIES = {
    ConflictKind.RESULT: "the order makes a difference to it; with one for each process, an Array, it would not",
    ConflictKind.READS: "one computes with what the other writes; if a test of it is enough, each change matters less",
    ConflictKind.DISABLES: _COMPETING,
    ConflictKind.DISABLED: _COMPETING,
}
