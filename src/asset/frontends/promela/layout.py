"""Which variables of the IR hold the state of a model: its variables, the places of its processes, its channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Control, Element
from asset.frontends.promela.expressions import HIGHEST
from asset.frontends.promela.types import CHAN, Basic, Structure, Type, leaves
from asset.ir.program import DeclaredVariable, Owner, Variable
from asset.ir.shapes import ArrayShape, QueueShape, RecordShape, ScalarShape, Shape, TupleShape
from asset.ir.types import BoolType, EnumType, IntType, ScalarType
from asset.span import Span


@dataclass(slots=True, eq=False)
class Kind:
    """A proctype, its control flow, and the numbers that its processes can have."""

    process: s.Proctype
    control: Control
    pids: range
    place: int = -1
    """The variable that has the number of the place that a process is at; 0 if there is no such process."""
    priority: int = -1
    """The variable that has the priority of a process, if the model speaks of priorities."""

    @property
    def name(self) -> str:
        return self.process.name

    @property
    def single(self) -> bool:
        return len(self.pids) == 1


@dataclass(slots=True, eq=False)
class Block:
    """The channels that one declaration makes: one, or one for each process and element of an array.

    Their numbers are `base`, `base + 1` and so on.
    """

    declaration: s.Declaration
    maker: s.ChannelMaker
    count: int
    base: int
    fields: tuple[Basic, ...]
    length: int = -1
    """The variable that has the number of messages; -1 for a rendezvous."""
    contents: tuple[int, ...] = ()

    @property
    def rendezvous(self) -> bool:
        return self.maker.capacity == 0


@dataclass(slots=True)
class Layout:
    """The variables, and where everything is."""

    mtypes: Mapping[str, Mapping[str, int]]
    channels: int
    """How many channels there are."""
    variables: list[Variable] = field(default_factory=list)
    declared: list[DeclaredVariable] = field(default_factory=list)
    cells: dict[s.Declaration, dict[str, int]] = field(default_factory=dict)
    """The variable of each leaf of a declaration, by its path."""

    def add_declaration(
        self, declaration: s.Declaration, kind: Kind | None, initial: list[dict[str, tuple[int, ...]] | None]
    ) -> None:
        """`initial` has the first values of leaves for each process, None where there is no process yet."""
        around = () if kind is None or kind.single else (len(kind.pids),)
        name = declaration.label if kind is None else f"{kind.name}.{declaration.label}"
        shape = self._shape(declaration.type)
        for size in reversed((*around, *(() if declaration.length is None else (declaration.length,)))):
            shape = ArrayShape(size, shape)
        self.declared.append(DeclaredVariable(name, shape, len(self.variables)))
        owner = None if kind is None else Owner(kind.name, declaration.label, _firsts(kind))
        self.cells[declaration] = {}
        for leaf in leaves(declaration.type, declaration.length):
            nothing = (0,) * len(leaf.initial)
            values = [nothing if own is None else own.get(leaf.path, leaf.initial) for own in initial]
            self.cells[declaration][leaf.path] = self._add(
                name + leaf.path,
                self.scalar(leaf.type),
                (*around, *leaf.dims),
                declaration.span,
                owner,
                [value for own in values for value in own],
            )

    def add_places(self, kind: Kind, initial: list[int]) -> None:
        name, around = f"{kind.name}.at", () if kind.single else (len(kind.pids),)
        type = EnumType(f"{kind.name}.place", (("-", 0), *_place_names(kind)))
        shape: Shape = ScalarShape(type)
        for size in around:
            shape = ArrayShape(size, shape)
        self.declared.append(DeclaredVariable(name, shape, len(self.variables)))
        owner = Owner(kind.name, None, _firsts(kind))
        kind.place = self._add(name, type, around, kind.process.span, owner, initial)

    def add_priorities(self, kind: Kind, initial: list[int]) -> None:
        name, type = f"{kind.name}._priority", IntType(0, HIGHEST)
        shape: Shape = ScalarShape(type) if kind.single else ArrayShape(len(kind.pids), ScalarShape(type))
        self.declared.append(DeclaredVariable(name, shape, len(self.variables)))
        owner, around = Owner(kind.name, "_priority", _firsts(kind)), () if kind.single else (len(kind.pids),)
        kind.priority = self._add(name, type, around, kind.process.span, owner, initial)

    def add_number(self, name: str, most: int, initial: int, span: Span) -> int:
        self.declared.append(DeclaredVariable(name, ScalarShape(IntType(0, most)), len(self.variables)))
        return self._add(name, IntType(0, most), (), span, None, [initial])

    def add_channels(self, block: Block) -> None:
        if block.rendezvous:
            return
        owner, capacity = block.declaration.owner, block.maker.capacity
        name = block.declaration.label if owner is None else f"{owner}.{block.declaration.label}"
        around, span = (() if block.count == 1 else (block.count,)), block.declaration.span
        item = TupleShape(tuple(ScalarShape(self.scalar(f)) for f in block.fields))
        shape: Shape = QueueShape(capacity, item if len(block.fields) > 1 else item.items[0])
        for size in around:
            shape = ArrayShape(size, shape)
        self.declared.append(DeclaredVariable(name, shape, len(self.variables)))
        block.length = self._add(f"{name}.len", IntType(0, capacity), around, span, None, [])
        block.contents = tuple(
            self._add(f"{name}.items.{k}", self.scalar(field), (*around, capacity), span, None, [])
            for k, field in enumerate(block.fields)
        )

    def _add(
        self, name: str, type: ScalarType, dims: tuple[int, ...], span: Span, owner: Owner | None, initial: list[int]
    ) -> int:
        self.variables.append(Variable(name, type, dims, tuple(initial) or (0,) * prod(dims), span, owner))
        return len(self.variables) - 1

    # --- types --------------------------------------------------------------------------------------------------------

    def scalar(self, type: Basic) -> ScalarType:
        if type.kind == "bool" and type.bits == 1:
            return BoolType()
        if type == CHAN:
            return IntType(0, self.channels)
        if type.mtype is not None:
            constants = self.mtypes.get(type.mtype, {})
            members = sorted(((name, value) for name, value in constants.items()), key=lambda m: m[1])
            return EnumType(str(type), (("0", 0), *members))
        return IntType(type.lo, type.hi)

    def _shape(self, type: Type) -> Shape:
        if isinstance(type, Structure):
            items = tuple(self._member(m.type, m.length) for m in type.members)
            return RecordShape(type.name, tuple(m.name for m in type.members), items)
        return ScalarShape(self.scalar(type))

    def _member(self, type: Type, length: int | None) -> Shape:
        return self._shape(type) if length is None else ArrayShape(length, self._shape(type))


def _firsts(kind: Kind) -> tuple[int, ...]:
    return () if kind.single else (kind.pids[0],)


def _place_names(kind: Kind) -> Iterator[tuple[str, int]]:
    """Each place by its label, or by its line; a letter tells places in one line apart."""
    seen: dict[str, int] = {}
    for place in kind.control.places:
        name = _place_name(place)
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}.{seen[name]}"), place.number


def _place_name(place: Element) -> str:
    if place.labels:
        return place.labels[0]
    return "end" if place.statement is None else f"line {place.span.line}"
