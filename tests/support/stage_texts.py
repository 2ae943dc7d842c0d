"""Derived rules and groups of symmetries as text, in the names of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.analysis.stubborn.derivation import Derivation
from asset.analysis.stubborn.explanation import explain
from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.meanings import meanings_of
from asset.analysis.symmetry.symmetries import symmetries_of
from asset.ir.derived import ALWAYS, Alternative, ObligationCase
from asset.ir.groups import Block, Group, Permutation, Sorting
from asset.ir.printer import pretty_expression
from asset.ir.requirements import MayProgress


def rules_text(derivation: Derivation) -> str:
    """The facts, then for each node the cases in which it obliges something, exactly as engines get them."""
    explained, program = explain(derivation), derivation.program
    lines = [f"{program.name}: {len(derivation.rules.facts)} facts"]
    lines += (f"    {number}: {pretty_expression(program, fact)}" for number, fact in enumerate(derivation.rules.facts))
    lines += (f"must not be missed: {text}" for text in explained.watched)
    lines += (f"cannot happen: {text}" for text in explained.proved)
    lines += (f"opaque: {each.name}: {each.why}" for each in explained.opaque)
    names = [rule.name for rule in explained.rules]
    names += [f"{names[command]} as a key" for command, key in enumerate(derivation.rules.keys) if key != command]
    for name, cases in zip(names, derivation.rules.cases, strict=True):
        lines.append(name)
        lines += (f"    {text}" for case in cases for text in _case(case, names))
    return "\n".join(lines) + "\n"


def _case(case: ObligationCase, names: Sequence[str]) -> Iterator[str]:
    yield "if " + (" and ".join(map(str, case.facts)) or "true")
    for obligation in case.obligations:
        yield "    " + (" | ".join(_alternative(each, names) for each in obligation) or "all transitions")


def _alternative(each: Alternative, names: Sequence[str]) -> str:
    nodes = " ".join(names[node] for node in sorted(each.nodes)) or "nothing"
    return nodes if each.fact == ALWAYS else f"({each.fact}) {nodes}"


def groups_text(described: DescribedProgram) -> str:
    """The group that keeps all properties; then the one that keeps none, with what it makes of each."""
    program = described.program
    kept = list(_group(described, symmetries_of(described).group))
    free = symmetries_of(described.asking([])).group
    all_of_them = list(_group(described, free))
    lines = [f"{program.name}, all properties are kept", *kept, "no property is kept"]
    lines += ["    the same"] if all_of_them == kept else all_of_them
    for predicate in described.predicates if free is not None else ():
        meanings = meanings_of(described, free, MayProgress(predicate))
        followed = "more meanings than can be followed" if meanings is None else f"{len(meanings)} meanings"
        lines.append(f"    {predicate.name}: {followed}")
    return "\n".join(lines) + "\n"


def _group(described: DescribedProgram, group: Group | None) -> Iterator[str]:
    if group is None:
        yield "    trivial"
        return
    yield f"    {group.order} elements, representative: {group.chooser.words}"
    if isinstance(group.chooser, Sorting):
        yield from (f"    sorts {_components(described, part)}" for part in group.chooser.parts)
    for generator in group.generators:
        yield f"    generator {_permutation(described, generator)}"


def _components(described: DescribedProgram, part: Sequence[Block]) -> str:
    names = described.program.cell_names
    blocks = (
        [*(names[c] for c in block.cells), *(f"{names[c]}={value}" for c, value in block.names)] for block in part
    )
    return " | ".join(map(" ".join, blocks))


def _permutation(described: DescribedProgram, p: Permutation) -> str:
    cells, program = described.program.cell_names, described.program
    moved = [_cycles(cells, p.cells)]
    for cell, images in sorted(p.values.items()):
        values = sorted({*images, *images.values()})
        places = [values.index(images.get(value, value)) for value in values]
        moved.append(f"values of {cells[cell]} {_cycles(list(map(str, values)), places)}")
    commands = [program.command_name(k) for k in range(program.nr_commands)]
    return "; ".join([*filter(None, moved), _cycles(commands, p.commands)])


def _cycles(names: Sequence[str], images: Sequence[int]) -> str:
    """The permutation in cycle notation, without what stays."""
    found, seen = [], set[int]()
    for start in range(len(images)):
        cycle, at = list[str](), start
        while at not in seen:
            seen.add(at)
            cycle.append(names[at])
            at = images[at]
        if len(cycle) > 1:
            found.append(f"({' '.join(cycle)})")
    return " ".join(found)
