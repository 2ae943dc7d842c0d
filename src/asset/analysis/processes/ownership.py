"""Who does what: the process that each command belongs to, and the cells that are its own.

Processes that are written as such have their names and indices. Others are recognised. Commands with an index belong to
the process of their first index; families that use it to index the same array are of the same kind of process
(`client[i]`, `server[i]`). Commands without an index belong together if they assign the same variable of an enum type:
its program counter. What a command chooses is no index: all alternatives are of one process.

Runs are shown and ordered by it, and `--fair` is about these processes; a verdict names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    recognised: tuple[str, ...] = ()
    """Those of the names that the model does not write as processes."""


def find_processes(program: Program) -> Processes:
    kinds = _kinds(program)
    for kind in kinds:
        kind.label = _label(program, kind, kinds)
    names = dict.fromkeys(name for kind in kinds for name in kind.names())
    kind_of = {family.name: kind for kind in kinds for family in kind.families}
    of_command = tuple(kind_of[family.name].name(indices) for family, indices in program.commands)
    of_cell = tuple(_owners(program, kinds, set(names)))
    shared = set(_assigned_by_others(program, kinds))
    private = tuple(
        owner is not None and (variable.owner is not None or number not in shared)
        for (number, variable), owner in zip(_numbered_cells(program), of_cell, strict=True)
    )
    recognised = tuple(name for kind in kinds if kind.written is None for name in kind.names())
    return Processes(tuple(names), of_command, of_cell, private, recognised)


@dataclass(slots=True)
class _ProcessKind:
    """Families whose commands are steps of the same processes, and the variables that are theirs."""

    families: list[Family]
    variables: set[int]
    written: str | None
    """Its name, if it is written as a process."""
    arity: int
    """How many of the first indices tell its processes apart."""
    label: str = ""

    def name(self, indices: tuple[int, ...]) -> str:
        """The process with these indices: `link 2 0`, `i=2`, `client[2]`, `sender`."""
        own = indices[: self.arity]
        if self.written is not None:
            return " ".join([self.label, *map(str, own)])
        if not own:
            return self.label
        return f"{self.label}{own[0]}" if self.label.endswith("=") else f"{self.label}[{own[0]}]"

    def names(self) -> Iterator[str]:
        return map(self.name, sorted({own for family in self.families for own in product(*family.process_ranges)}))

    def is_related(self, other: _ProcessKind) -> bool:
        """Whether both are one kind: they are written as one, or, if neither is written, have a variable in common."""
        if self.written is not None or other.written is not None:
            return self.written == other.written
        return self.arity == other.arity and not self.variables.isdisjoint(other.variables)


def _kinds(program: Program) -> list[_ProcessKind]:
    kinds: list[_ProcessKind] = []
    for family in program.families:
        indices = len(family.process_ranges)
        arity = min(indices, 1) if family.process is None else indices
        own = _ProcessKind([family], _own_variables(program, family), family.process, arity)
        related = [kind for kind in kinds if kind.is_related(own)]
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
            if family.process_ranges and variable.dims and set(family.ranges[0]) <= set(range(variable.dims[0]))
        }
    if family.process_ranges:
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


def _assigned_by_others(program: Program, kinds: list[_ProcessKind]) -> Iterator[int]:
    """The variables that a process may assign in cells that are not its own."""
    for kind in kinds:
        for family in kind.families if program.functions else ():
            slot = 0 if family.process_ranges else None
            for variable, own in _assignments(program, family.function, slot, set()):
                if _owning(kinds, variable) is not kind or (kind.arity and not own):
                    yield variable


def _owning(kinds: list[_ProcessKind], variable: int) -> _ProcessKind | None:
    return next((kind for kind in kinds if variable in kind.variables), None)


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
    if kind.written is not None:
        return kind.written
    if kind.arity and program.functions:
        names = _index_names(program, kind)
        others = {name for other in kinds if other is not kind for name in _index_names(program, other)}
        if len(names) == 1 and not names & others:
            return f"{next(iter(names))}="
    if kind.variables:
        return program.variables[min(kind.variables)].name
    return kind.families[0].name


def _index_names(program: Program, kind: _ProcessKind) -> set[str]:
    return {program.functions[family.function].slots[0] for family in kind.families if family.process_ranges}


def _owners(program: Program, kinds: list[_ProcessKind], names: set[str]) -> Iterator[str | None]:
    for number, variable in enumerate(program.variables):
        kind = _owning(kinds, number)
        for indices in product(*map(range, variable.dims)):
            name = None if kind is None else kind.name(indices)
            if variable.owner is not None:
                name = _process_name(variable.owner, indices)
            yield name if name in names else None


def _process_name(owner: Owner, indices: tuple[int, ...]) -> str:
    """As its commands have it: `link 2 0`, `clock`."""
    own = (first + index for first, index in zip(owner.firsts, indices, strict=False))
    return " ".join([owner.process, *map(str, own)])
