"""Who does what: the process that each command belongs to, and the cells that are its own.

Processes that are written as such have their names. Others are recognised. Commands with an index belong to the process
of their first index; families that use it to index the same array are of the same kind of process (`client[i]`,
`server[i]`). Commands without an index belong together if they assign the same variable of an enum type: its program
counter. This is for showing and ordering runs only; nothing that is decided relies on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from asset.ir import nodes as n
from asset.ir.program import Family, Owner, Program, Variable
from asset.ir.types import EnumType


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes by name, in a fixed order; that of each command; and that of each cell that is one's own."""

    names: tuple[str, ...]
    of_command: tuple[str, ...]
    of_cell: tuple[str | None, ...]
    private: tuple[bool, ...] = ()
    """Whether nobody but its owner assigns the cell, as far as the text shows it."""


def find_processes(program: Program) -> Processes:
    kinds = _kinds(program)
    for kind in kinds:
        kind.label = _label(program, kind, kinds)
    names = dict.fromkeys(name for kind in kinds for name in kind.names())
    kind_of = {family.name: kind for kind in kinds for family in kind.families}
    of_command = [kind_of[family.name].name(indices) for family, indices in program.commands]
    of_cell = tuple(_owners(program, kinds, set(names)))
    shared = {variable for kind in kinds for variable in _assigned_for_others(program, kind)}
    private = tuple(
        owner is not None and (variable.owner is not None or number not in shared)
        for (number, variable), owner in zip(_numbered_cells(program), of_cell, strict=True)
    )
    return Processes(tuple(names), tuple(of_command), of_cell, private)


@dataclass(slots=True)
class _ProcessKind:
    """Families whose commands are steps of the same processes, and the variables that are theirs."""

    families: list[Family] = field(default_factory=list)
    variables: set[int] = field(default_factory=set)
    indexed: bool = False
    label: str = ""

    def name(self, indices: tuple[int, ...]) -> str:
        """The process with these indices: `customer 2`, `i=2`, `client[2]`, `sender`."""
        if not indices:
            return self.label.rstrip()
        return f"{self.label}{indices[0]}" if self.label.endswith(("=", " ")) else f"{self.label}[{indices[0]}]"

    def names(self) -> Iterator[str]:
        indices = sorted({index for family in self.families if family.ranges for index in family.ranges[0]})
        return map(self.name, ((index,) for index in indices) if self.indexed else [()])


def _kinds(program: Program) -> list[_ProcessKind]:
    """Families with a variable in common are of one kind."""
    kinds: list[_ProcessKind] = []
    for family in program.families:
        own = _ProcessKind([family], _own_variables(program, family), bool(family.ranges))
        related = [kind for kind in kinds if kind.indexed == own.indexed and kind.variables & own.variables]
        for kind in related[1:]:
            related[0].families += kind.families
            related[0].variables |= kind.variables
            kinds.remove(kind)
        if related:
            related[0].families.append(family)
            related[0].variables |= own.variables
        else:
            kinds.append(own)
    return kinds


def _own_variables(program: Program, family: Family) -> set[int]:
    if not program.functions:  # a model that is run by CPython has no code to look at: the arrays that it may index
        return {
            number
            for number, variable in enumerate(program.variables)
            if family.ranges and variable.dims and set(family.ranges[0]) <= set(range(variable.dims[0]))
        }
    if family.ranges:
        return set(_indexed_by(program, family.function, 0, set()))
    scalars = {
        node.variable
        for node in program.functions[family.function].nodes
        if isinstance(node, n.SetState) and not node.indices
    }
    return {v for v in scalars if isinstance(program.variables[v].type, EnumType)}


def _indexed_by(program: Program, function: int, slot: int, seen: set[tuple[int, int]]) -> Iterator[int]:
    """The arrays whose first index is the parameter in this slot, in the function or in those that get it passed on."""
    if (function, slot) in seen:
        return
    seen.add((function, slot))
    for node in program.functions[function].nodes:
        if isinstance(node, n.Read | n.SetState) and node.indices and _is_local(node.indices[0], slot):
            yield node.variable
        elif isinstance(node, n.Call):
            for at, argument in enumerate(node.args):
                if _is_local(argument, slot):
                    yield from _indexed_by(program, node.function, at, seen)


def _assigned_for_others(program: Program, kind: _ProcessKind) -> Iterator[int]:
    """The variables that a process of this kind may assign in cells that are not its own."""
    for family in kind.families if program.functions else ():
        for variable, own in _assignments(program, family.function, 0 if family.ranges else None, set()):
            if variable not in kind.variables or (kind.indexed and not own):
                yield variable


def _assignments(
    program: Program, function: int, slot: int | None, seen: set[tuple[int, int | None]]
) -> Iterator[tuple[int, bool]]:
    """The variables that the function assigns, or one that it calls, and whether the first index is the parameter in
    this slot."""
    if (function, slot) in seen:
        return
    seen.add((function, slot))
    for node in program.functions[function].nodes:
        if isinstance(node, n.SetState):
            own = slot is not None and bool(node.indices) and _is_local(node.indices[0], slot)
            yield node.variable, own
        elif isinstance(node, n.Call):
            passed = (at for at, argument in enumerate(node.args) if slot is not None and _is_local(argument, slot))
            yield from _assignments(program, node.function, next(passed, None), seen)


def _numbered_cells(program: Program) -> Iterator[tuple[int, Variable]]:
    """For each cell the number of its variable, and the variable."""
    return (numbered for numbered in enumerate(program.variables) for _ in range(numbered[1].cells))


def _is_local(expression: n.Expr, slot: int) -> bool:
    return isinstance(expression, n.Local) and expression.slot == slot


def _label(program: Program, kind: _ProcessKind, kinds: list[_ProcessKind]) -> str:
    """Its own name if it has one; else `i` if that is the index of this kind only, a variable or a transition of
    its own."""
    if process := next((family.process for family in kind.families if family.process), None):
        return f"{process} "
    if kind.indexed and program.functions:
        names = _index_names(program, kind)
        others = {name for other in kinds if other is not kind for name in _index_names(program, other)}
        if len(names) == 1 and not names & others:
            return f"{next(iter(names))}="
    if kind.variables:
        return program.variables[min(kind.variables)].name
    return kind.families[0].name


def _index_names(program: Program, kind: _ProcessKind) -> set[str]:
    return {program.functions[family.function].slots[0] for family in kind.families if family.ranges}


def _owners(program: Program, kinds: list[_ProcessKind], names: set[str]) -> Iterator[str | None]:
    for number, variable in enumerate(program.variables):
        kind = next((kind for kind in kinds if number in kind.variables), None)
        for indices in product(*map(range, variable.dims)):
            name = None if kind is None else kind.name(indices)
            if variable.owner is not None:
                name = _process_name(variable.owner, indices)
            yield name if name in names else None


def _process_name(owner: Owner, indices: tuple[int, ...]) -> str:
    """As its commands have it: `customer 2`, `clock`."""
    return f"{owner.process} {indices[0] + owner.firsts[0]}" if owner.firsts else owner.process
