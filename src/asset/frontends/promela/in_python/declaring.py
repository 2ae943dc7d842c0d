"""Variables as attributes of the model: what they are declared with, what they begin with, and how they are cleared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from asset.frontends.promela import syntax as s
from asset.frontends.promela.in_python.channels import Channels
from asset.frontends.promela.in_python.expressions import Expressions, part_name, shifted
from asset.frontends.promela.in_python.names import Names
from asset.frontends.promela.in_python.statements import Lines
from asset.frontends.promela.in_python.values import Values
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.types import Basic, Leaf, Structure, Type, extended, leaves
from asset.ir.program import Variable


class Declaring:
    def __init__(self, names: Names, channels: Channels, variables: Mapping[str, Variable], values: Values) -> None:
        self._names, self._channels, self._variables, self._values = names, channels, variables, values
        self.records: dict[str, list[str]] = {}
        """The fields of each structure, with their types."""

    # --- state() ------------------------------------------------------------------------------------------------------

    def declared(self, d: s.Declaration, kind: Kind | None) -> Lines:
        for maker in (d, *(made for _, made in d.within)):
            yield from self._queues(maker)
        if self._channels.is_made_by(d):
            return
        around = () if kind is None else around_of(kind)
        dims = (*around, *(() if d.length is None else (d.length,)))
        name = f"self.{self._names.of(d)}"
        if isinstance(d.type, Structure):
            yield 2, f"{name} = {array(dims, self._record(d, d.type, ''))}"
            for leaf in leaves(d.type, d.length):
                yield from self._exceptions(name, d, kind, leaf, leaf.initial[0])
        else:
            firsts = self._firsts(d, kind, "")
            common = max(sorted(set(firsts)), key=list(firsts).count)
            yield 2, f"{name} = {array(dims, self._item(d, d.type, '', common))}"
            yield from self._exceptions(name, d, kind, leaves(d.type, d.length)[0], common)

    def _firsts(self, d: s.Declaration, kind: Kind | None, path: str) -> Sequence[int]:
        """What all cells of a leaf begin with."""
        variable = self._variables[f"{'' if kind is None else f'{kind.name}.'}{d.label}{path}"]
        is_channel = any(leaf.type.kind == "chan" and leaf.path == path for leaf in leaves(d.type))
        return self._channels.firsts(variable.initial) if is_channel else variable.initial

    def _exceptions(self, name: str, d: s.Declaration, kind: Kind | None, leaf: Leaf, common: int) -> Lines:
        """The cells that begin with something else."""
        around = () if kind is None else around_of(kind)
        firsts = self._firsts(d, kind, leaf.path)
        for indices, first in zip(product(*map(range, (*around, *leaf.dims))), firsts, strict=True):
            if first != common:
                own = "".join(f"[{k}]" for k in indices[: len(around)])
                cell = spelled(d.type, d.length, leaf.path).format(*indices[len(around) :])
                yield 2, f"{name}{own}{cell} = {self._values.constant(leaf.type, first)}"

    def _queues(self, maker: s.Declaration) -> Lines:
        """All channels that are in one array, where the first of them is declared."""
        group = self._channels.first_made(maker)
        if group is None:
            return
        told = f"  # {', '.join(each.name for each in group.firsts)}" if len(group.firsts) > 1 else ""
        if group.capacity == 0:
            yield 2, f"self.{group.name} = Synchronous({group.count if group.is_array else ''}){told}"
            return
        items = []
        for k, field in enumerate(group.fields):
            low, high = self._channels.field_range(group, k)
            items.append(self._values.domain(field) or f"Int({low}, {high})")
        queue = f"Queue({group.capacity}, {grouped(items)})"
        yield 2, f"self.{group.name} = {array((group.count,), queue) if group.is_array else queue}{told}"

    def _record(self, d: s.Declaration, type: Structure, path: str) -> str:
        """The first value of a structure, whose class is noted."""
        said, parts = [], []
        for member in type.members:
            name, own = part_name(member.name), f"{path}.{member.name}"
            if isinstance(member.type, Structure):
                item, told = self._record(d, member.type, own), member.type.name
            else:
                item = self._item(d, member.type, own, member.initial[0])
                told = self._values.domain(member.type) or "int"
            said.append(f"{name}: {told if member.length is None else 'Array'}")
            parts.append(f"{name}={array(() if member.length is None else (member.length,), item)}")
        self.records[type.name] = said
        return f"{type.name}({', '.join(parts)})"

    def _item(self, d: s.Declaration, type: Basic, path: str, first: int) -> str:
        """A number, or another value, with what it begins with."""
        if self._values.domain(type):
            return self._values.constant(type, first)
        low, high = (0, self._channels.most(d, path)) if type.kind == "chan" else (type.lo, type.hi)
        return f"Int({low}, {high}, {first})" if first else f"Int({low}, {high})"

    # --- processes that are run, and that end -------------------------------------------------------------------------

    def begun(self, d: s.Declaration, write: Expressions) -> Lines:
        """What a variable of a process begins with when the process is run."""
        if self._channels.is_made_by(d):
            return
        cell = f"self.{self._names.of(d)}{write.own()}"
        if isinstance(d.type, Structure) or isinstance(d.initial, s.ChannelMaker):
            makers = dict(d.within) if isinstance(d.type, Structure) else {"": d}
            for leaf in leaves(d.type, d.length):
                for k, indices in enumerate(product(*map(range, leaf.dims))):
                    value = self._values.constant(leaf.type, leaf.initial[k]) if leaf.initial[k] else None
                    if leaf.path in makers:
                        value = self._own_channel(makers[leaf.path], k, write)
                    if value is not None:
                        yield 2, f"{cell}{spelled(d.type, d.length, leaf.path).format(*indices)} = {value}"
        elif isinstance(d.initial, s.InitialList):
            for k, first in enumerate(extended(d.initial.values, d.length or 1)):
                yield 2, f"{cell}[{k}] = {self._values.constant(d.type, d.type.wrapped(first))}"
        elif d.initial is not None:
            value = write.passed(d.initial, d.type)
            if d.length is None:
                yield 2, f"{cell} = {value}"
            else:
                yield 2, f"for k in range({d.length}):"
                yield 3, f"{cell}[k] = {value}"

    def _own_channel(self, maker: s.Declaration, k: int, write: Expressions) -> str:
        """The number of the channel that the process makes."""
        return shifted(write.place_of(maker, k), 1)

    def cleared(self, d: s.Declaration, write: Expressions) -> Iterator[str]:
        """The variable is as if the process had never been."""
        for maker in (d, *(made for _, made in d.within)):
            group = self._channels.made(maker)
            for k in range((maker.length or 1) if group is not None and group.capacity else 0):
                assert group is not None
                at = f"[{write.place_of(maker, k)}]" if group.is_array else ""
                yield f"self.{group.name}{at}.clear()"
        if self._channels.is_made_by(d):
            return
        cell = f"self.{self._names.of(d)}{write.own()}"
        if isinstance(d.type, Basic) and d.length is not None:
            yield f"for k in range({d.length}):"
            yield f"    {cell}[k] = {self._values.constant(d.type, 0)}"
            return
        for leaf in leaves(d.type, d.length):
            for indices in product(*map(range, leaf.dims)):
                part = spelled(d.type, d.length, leaf.path).format(*indices)
                yield f"{cell}{part} = {self._values.constant(leaf.type, 0)}"


def spelled(type: Type, length: int | None, path: str) -> str:
    """How a leaf of a variable is written, with `{}` for each index."""
    text = "" if length is None else "[{}]"
    for name in path.split(".")[1:]:
        member = type.member(name) if isinstance(type, Structure) else None
        assert member is not None
        text += f".{part_name(name)}{'' if member.length is None else '[{}]'}"
        type = member.type
    return text


def around_of(kind: Kind) -> tuple[int, ...]:
    return () if kind.single else (len(kind.pids),)


def array(dims: Sequence[int], item: str) -> str:
    for size in reversed(dims):
        item = f"Array({size}, {item})"
    return item


def grouped(values: Sequence[str]) -> str:
    """A message: its only field, or a tuple."""
    return values[0] if len(values) == 1 else f"({', '.join(values)})"
