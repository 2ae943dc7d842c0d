"""What the steps of processes share: steps that touch too much at once for a real machine, or nothing at all.

A *place* is a cell of a state variable as far as the text tells cells apart: the process's own one (indexed by the
index of the process) or any. A place is shared if another process, or a transition, may write it; or if the
step writes it and another may read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from asset.ir import nodes as n
from asset.ir.program import Family, Program
from asset.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write of a state variable by a family of commands, a property, or nobody in particular."""

    group: str
    variable: str
    is_own: bool
    writes: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Touched:
    """The shared places of the path of a step that has most of them, each with its first access, in the order of the
    text."""

    family: Family
    places: tuple[Access, ...]
    has_effect: bool
    """Whether the step does anything that another process, a transition or a property may see."""


class Sharing:
    """Who touches what in a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names = _declared_names(program)
        owners = [variable.owner for variable in program.variables]
        self._processes = {name: own and own.process for name, own in zip(self._names, owners, strict=True)}
        self._instances: dict[str, int] = {}
        for family in program.families:
            own = 1
            for values in family.process_ranges:
                own *= len(values)
            self._instances[_group(family)] = own

    def steps(self) -> Iterator[Touched]:
        """What each step of a process touches."""
        for family in self._program.families:
            if family.process is not None:
                yield self._touched(family)

    def _touched(self, family: Family) -> Touched:
        paths = Paths(lambda node: self._at_node(node, _group(family), self._own(family)))
        most: tuple[Access, ...] = ()
        for path in paths.of(self._program.functions[family.function].body):
            shared = self._shared_places(path, family)
            most = shared if len(shared) > len(most) else most
        mine = [a for a in self._by_family[family.name] if not self._is_part_of(a, family)]
        seen = any(self._is_shared(a) or (a.writes and a.variable in self._in_properties) for a in mine)
        return Touched(family, most, seen or self._is_labelled(family))

    def _shared_places(self, path: Path, family: Family) -> tuple[Access, ...]:
        places: dict[tuple[str, bool], Access] = {}
        for access in path:
            if not self._is_part_of(access, family) and self._is_shared(access):
                places.setdefault((access.variable, access.is_own), access)
        return tuple(places.values())

    def _is_labelled(self, family: Family) -> bool:
        """Whether the step begins or ends at a point that has a name."""
        owners = [variable.owner for variable in self._program.variables]
        counter = next(k for k, own in enumerate(owners) if own and (own.process, own.local) == (family.process, None))
        shown = self._program.variables[counter].type.show
        numbers = set()
        for node in self._program.functions[family.function].nodes:
            match node:
                case n.SetState(variable=variable, value=n.Const(value=value)) if variable == counter:
                    numbers.add(value)
                case n.Binary(left=n.Read(variable=variable), right=n.Const(value=value)) if variable == counter:
                    numbers.add(value)
                case _:
                    pass
        return any(not shown(number).startswith("line ") for number in numbers)

    def _is_part_of(self, access: Access, family: Family) -> bool:
        """Whether it is a program counter or a local variable of the process, or of the one that it meets."""
        owner = self._processes[access.variable]
        if owner is not None and owner == family.partner:
            return True
        return self._processes[access.variable] == family.process and (access.is_own or not family.process_ranges)

    def _is_shared(self, access: Access) -> bool:
        others = (a for a in self._accesses[access.variable] if self._is_of_another(a, access))
        return any(other.writes or access.writes for other in others)

    def _is_of_another(self, other: Access, access: Access) -> bool:
        """Whether the other access may be of the same cell by another process."""
        if other.group != access.group:
            return True
        return self._instances[access.group] > 1 and not (access.is_own and other.is_own)

    # --- accesses ---------------------------------------------------------------------------------------------------

    @cached_property
    def _by_family(self) -> dict[str, tuple[Access, ...]]:
        return {f.name: tuple(self._of_function(_group(f), f.function, self._own(f))) for f in self._program.families}

    @cached_property
    def _accesses(self) -> dict[str, tuple[Access, ...]]:
        found: dict[str, list[Access]] = {name: [] for name in self._names}
        for accesses in self._by_family.values():
            for access in accesses:
                found[access.variable].append(access)
        return {variable: tuple(accesses) for variable, accesses in found.items()}

    @cached_property
    def _in_properties(self) -> frozenset[str]:
        found = (a for p in self._program.predicates for a in self._of_function(p.name, p.function, ()))
        return frozenset(access.variable for access in found)

    def _own(self, family: Family) -> tuple[int, ...]:
        return tuple(range(len(family.process_ranges)))

    def _of_function(self, group: str, number: int, own: tuple[int, ...]) -> Iterator[Access]:
        """The accesses of a function whose slots `own` hold the indices of the process, in order."""
        for node in self._program.functions[number].nodes:
            yield from self._at_node(node, group, own)

    def _at_node(self, node: n.Node, group: str, own: tuple[int, ...]) -> Iterator[Access]:
        """The accesses of the node itself, and of what it calls."""
        match node:
            case n.Read(span, variable, indices):
                yield Access(group, self._names[variable], _is_own(indices, own), False, span)
            case n.SetState(span, variable, indices):
                yield Access(group, self._names[variable], _is_own(indices, own), True, span)
            case n.Call(_, callee, args) if self._program.functions[callee].span != NOWHERE:
                passed = [k for slot in own for k, arg in enumerate(args) if _is_slot(arg, slot)]
                yield from self._of_function(group, callee, tuple(passed) if len(passed) == len(own) else ())
            case _:
                pass


Path = tuple[Access, ...]
"""The accesses on one way through some code, each place once or more."""

PATHS = 200
"""So many ways through a step are looked at one by one; more are taken for one that touches all that they touch."""


class Paths:
    """The ways through the code of a step: its branches apart, a loop as all that its body does."""

    def __init__(self, at_node: Callable[[n.Node], Iterable[Access]]) -> None:
        self._at_node = at_node

    def of(self, body: Sequence[n.Stmt]) -> list[Path]:
        falling, ended = self._block(body)
        return falling + ended

    def _block(self, body: Sequence[n.Stmt]) -> tuple[list[Path], list[Path]]:
        """The paths that come to the end of the block, and those that leave it before."""
        falling: list[Path] = [()]
        ended: list[Path] = []
        for statement in body:
            passing, leaving = self._statement(statement)
            ended += [before + after for before in falling for after in leaving]
            falling = [before + after for before in falling for after in passing]
            falling, ended = _few(falling), _few(ended)
        return falling, ended

    def _statement(self, statement: n.Stmt) -> tuple[list[Path], list[Path]]:
        match statement:
            case n.If(_, cases, orelse):
                return self._branches(cases, orelse)
            case n.Return() | n.Break() | n.Continue() | n.Fail():
                return [], [self._all(statement)]
            case _:
                return [self._all(statement)], []

    def _branches(self, cases: tuple[n.Case, ...], orelse: tuple[n.Stmt, ...]) -> tuple[list[Path], list[Path]]:
        tests: Path = ()
        falling: list[Path] = []
        ended: list[Path] = []
        for case in cases:
            tests += self._all(case.test)
            passing, leaving = self._block(case.body)
            falling += [tests + path for path in passing]
            ended += [tests + path for path in leaving]
        passing, leaving = self._block(orelse)
        return falling + [tests + path for path in passing], ended + [tests + path for path in leaving]

    def _all(self, node: n.Node) -> Path:
        return tuple(access for part in n.walk(node) for access in self._at_node(part))


def _few(paths: list[Path]) -> list[Path]:
    if len(paths) <= PATHS:
        return paths
    return [tuple(dict.fromkeys(access for path in paths for access in path))]


def _declared_names(program: Program) -> list[str]:
    """For each variable, the name that the modeller declared: a queue, say, is stored as several variables."""
    names = [variable.name for variable in program.variables]
    for declared in program.declared:
        for number in range(declared.first, len(names)):
            names[number] = declared.name
    return names


def _group(family: Family) -> str:
    return family.process or family.name


def _is_own(indices: tuple[n.Expr, ...], own: tuple[int, ...]) -> bool:
    """Whether the first indices are those of the process: no other process of its kind has the same."""
    return bool(own) and len(indices) >= len(own) and all(map(_is_slot, indices, own))


def _is_slot(e: n.Expr, slot: int) -> bool:
    """The index itself, or its distance from the first one."""
    if isinstance(e, n.Binary) and e.op is n.BinaryOp.SUB and isinstance(e.right, n.Const):
        e = e.left
    return isinstance(e, n.Local) and e.slot == slot
