"""`asset explain --symmetry`: which components are interchangeable, and which only look so, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset import interruption
from asset.analysis.symmetry.likeness import Likeness, Obstacle, likenesses
from asset.analysis.symmetry.symmetries import Symmetries, idle_values
from asset.analysis.watch import Watch
from asset.checks import CheckOptions
from asset.checks.plan import plan
from asset.checks.reductions import observed, reduce
from asset.checks.subject import Subject
from asset.checks.symmetries_asked import costs, followed
from asset.cli.walk import named
from asset.errors import UsageError
from asset.ir.groups import Group, Sorting
from asset.ir.program import Program
from asset.report.document import EMPTY, Line, Piece, Role, folded, line
from asset.report.table import place


def explained(subject: Subject, options: CheckOptions, width: int) -> list[Line]:
    """All of the explanation: the group, each kind of component, and what the properties cost."""
    program = subject.executable().program
    reduced = reduce(program, plan(program, options).requirements, options)
    found, group = reduced.symmetries, reduced.reductions.group
    if found is None and group is not None:
        said = f" {_known(group)}, as elements of abstract domains that nothing tells apart"
        return [line(Piece(f"{named(program)}:", Role.STRONG), said)]
    if found is None:
        interruption.give_way()
        raise UsageError.of(f"{'; '.join(each.message for each in reduced.caveats)}: there is nothing to explain")
    lines = [line(Piece(f"{named(program)}:", Role.STRONG), f" {_headline(found)}")]
    alike = [each for each in likenesses(found.described, Watch(observed(options))) if not _belied(each, found)]
    for likeness in alike:
        lines += [EMPTY, *_likeness(likeness, width)]
    told = {name for each in alike if each.obstacle is None or each.rotates for name in (*each.arrays, *each.naming)}
    sentences = [*_others(found, told), *_unfollowed(program, found), *followed(found), *costs(found)]
    if found.group is None:
        sentences += _why_none(found, bool(alike or sentences))
    for sentence in sentences:
        lines += [EMPTY, *(line("  ", text) for text in folded(sentence, width - 2))]
    return lines


def _headline(found: Symmetries) -> str:
    return "no symmetry that keeps what is asked" if found.group is None else _known(found.group)


def _known(group: Group) -> str:
    many = "symmetries" if group.order is None else f"{group.order:,} symmetries"
    return f"{many} that keep what is asked; representatives: {group.chooser.words}"


def _belied(each: Likeness, found: Symmetries) -> bool:
    """Whether components that are not alike by themselves are, together with what the group moves besides; or are
    alike but not moved, as they never change, so that it would save nothing."""
    moved = {cell for cells in _moved(found.group) for cell in cells} if found.group is not None else set[int]()
    variables = found.described.cells.variables
    cells = {cell for cell, variable in enumerate(variables) if variable.name in each.arrays}
    if each.obstacle is None:
        return found.complete and cells.isdisjoint(moved)
    return found.group is not None and not each.rotates and cells <= moved


def _likeness(each: Likeness, width: int) -> Iterator[Line]:
    components = f"{listed(each.arrays)} 0…{each.size - 1}"
    naming = f" ({listed(each.naming)} names them)" if each.naming else ""
    if each.obstacle is None:
        said = f"{components} can be put in any order, together{naming}"
    elif each.rotates:
        said = f"{components} can be rotated together{naming}, but not put in any order"
    else:
        said = f"{components} look alike but are not"
    yield from (line("  ", text) for text in folded(said, width - 2))
    if each.obstacle is not None:
        yield from _obstacle(each.obstacle)


def _obstacle(obstacle: Obstacle) -> Iterator[Line]:
    itself = obstacle.becomes in (None, obstacle.subject)
    apart = "tells them apart" if itself else f"is not {obstacle.becomes} with other names"
    yield line("    ", f"{obstacle.subject} {apart}:")
    yield line("      ", place(obstacle.span, Role.FAINT))
    text = obstacle.span.source_line.rstrip()
    if text:
        bare = text.lstrip()
        margin = max(0, obstacle.span.column - 1 - (len(text) - len(bare)))
        yield line("          ", bare)
        yield line("          ", " " * margin, Piece("^" * obstacle.span.caret_width, Role.BAD))


def _others(found: Symmetries, told: set[str]) -> Iterator[str]:
    """The cells that the group moves, if their variables were not mentioned yet."""
    group = found.group
    if group is None:
        return
    for moved in _moved(group):
        if not {found.described.cells.variables[cell].name for cell in moved} <= told:
            yield f"can be exchanged: {listed([found.described.program.cell_names[cell] for cell in moved])}"


def _moved(group: Group) -> list[list[int]]:
    """The classes of cells that can take each other's place."""
    if isinstance(group.chooser, Sorting):
        parts = group.chooser.parts
        return [list(cells) for part in parts for cells in zip(*(block.cells for block in part), strict=True)]
    classes: list[set[int]] = []
    for cell in range(len(group.generators[0].cells)):
        if not any(cell in known for known in classes):
            classes.append(_orbit(cell, group))
    return [sorted(each) for each in classes if len(each) > 1]


def _orbit(cell: int, group: Group) -> set[int]:
    found, pending = {cell}, [cell]
    while pending:
        at = pending.pop()
        for to in {generator.cells[at] for generator in group.generators} - found:
            found.add(to)
            pending.append(to)
    return found


def _why_none(found: Symmetries, told: bool) -> Iterator[str]:
    """Why there is no symmetry, as far as nothing else says it."""
    if not found.complete:
        yield "there was no time to look for all symmetries: --analysis-time gives more"
    if found.refused:
        yield f"{found.refused} that look like symmetries could not be shown to be some, so they are not used"
    idle = idle_values(found.described)
    if idle:
        yield f"only values that are never taken could be exchanged, which would save nothing: those of {listed(idle)}"
    if not (told or idle or found.refused) and found.complete:
        yield (
            "no two variables, and no elements of an array, are used alike by all transitions and properties; "
            'transitions over an index (@transition(i="n")) that treat each index alike make them so'
        )


def _unfollowed(program: Program, found: Symmetries) -> Iterator[str]:
    """What the analysis could not follow: what these touch is not moved."""
    names = dict.fromkeys(program.commands[command][0].name for command in found.described.unfollowed)
    predicates = found.described.predicates
    names |= dict.fromkeys(predicate.name for predicate, known in predicates.items() if isinstance(known, set))
    if names and found.group is None:
        yield f"too complicated to follow, so that nothing they touch is moved: {', '.join(names)}"
    elif names:
        yield f"too complicated to follow, but the text tells that some values are only names: {', '.join(names)}"


def listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
