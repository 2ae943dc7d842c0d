"""State variables as Python objects: what may be declared, and arrays that check every access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from math import prod
from typing import Any

from asset.errors import ModelRejected
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.types import BoolType, EnumType, IntType, ScalarType
from asset.model.places import user_span

EnumClass = type[IntEnum]


class OutOfRange(ValueError):
    """A value was assigned to a state variable that does not take it."""


def rejected(message: str, remedy: str = "") -> ModelRejected:
    """The error to raise for a mistake in the code that is now running."""
    error = ModelRejected.of(message, user_span(), remedy)
    assert isinstance(error, ModelRejected)
    return error


@dataclass(frozen=True, slots=True)
class Domain:
    """What one cell can hold: its type, and how it reads in Python."""

    type: ScalarType
    enum: EnumClass | None = None

    def decode(self, value: int) -> int:
        """The stored number as the modeller sees it: a bool, an IntEnum member or an int."""
        if self.enum is not None:
            return self.enum(value)
        return bool(value) if isinstance(self.type, BoolType) else value

    def encode(self, value: object, cell: str) -> int:
        """The number to store; raises where the cell does not take the value."""
        if not isinstance(value, int):
            raise TypeError(f"{cell} takes {self.type}, not {value!r}")
        if value not in self.type:
            name = cell.partition("[")[0]
            raise OutOfRange(f"{cell} = {int(value)} is out of range: {name} takes {self.type}")
        return int(value)


class Int:
    """Declares an integer from `lo` to `hi`; initially `init`, which is 0 where that is in the range, else `lo`."""

    __slots__ = ("domain", "init")

    def __init__(self, lo: int, hi: int, init: int | None = None) -> None:
        for bound in (lo, hi):
            if not isinstance(bound, int) or not INT_MIN <= bound <= INT_MAX:
                raise rejected(f"the bounds of Int must be 64-bit integers, not {bound!r}")
        if lo > hi:
            raise rejected(f"Int({lo}, {hi}) has no values: its lower bound is above its upper bound")
        self.domain = Domain(IntType(int(lo), int(hi)))
        if init is None:
            init = 0 if lo <= 0 <= hi else lo
        if not isinstance(init, int) or init not in self.domain.type:
            raise rejected(f"the initial value {init!r} is out of range: {lo}..{hi}")
        self.init = int(init)

    def __repr__(self) -> str:
        return f"Int({self.domain.type.lo}, {self.domain.type.hi}, {self.init})"


class Bits(Int):
    """Declares an unsigned integer of `width` bits."""

    __slots__ = ()

    def __init__(self, width: int = 8, init: int = 0) -> None:
        if not isinstance(width, int) or not 1 <= width <= 63:
            raise rejected(f"Bits takes a width from 1 to 63, not {width!r}")
        super().__init__(0, 2**width - 1, init)


@dataclass(frozen=True, slots=True)
class Template:
    """What a declaration stands for: a shape and the values of its cells."""

    domain: Domain
    dims: tuple[int, ...]
    cells: tuple[int, ...]


class Array:
    """`length` copies of `item`, indexed from 0; a negative index is out of bounds. Items may be Arrays themselves."""

    __slots__ = ("_base", "_cells", "_dims", "_domain", "_name")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, length: int, item: object) -> None:
        if isinstance(length, bool) or not isinstance(length, int) or length < 0:
            raise rejected(f"the length of an Array must be an integer of at least 0, not {length!r}")
        part = template(item, "an Array's item")
        self._domain = part.domain
        self._dims = (int(length), *part.dims)
        self._cells = list(part.cells) * length
        self._base = 0
        self._name = "array"

    @classmethod
    def over(cls, cells: list[int], base: int, shape: Template, name: str) -> Array:
        """A view of the cells from `base` on, in the shape of the template."""
        view = cls.__new__(cls)
        view._cells, view._base, view._name = cells, base, name
        view._domain, view._dims = shape.domain, shape.dims
        return view

    @property
    def template(self) -> Template:
        size = prod(self._dims)
        return Template(self._domain, self._dims, tuple(self._cells[self._base : self._base + size]))

    def named(self, name: str) -> Array:
        self._name = name
        return self

    def __len__(self) -> int:
        return self._dims[0]

    def _at(self, index: object) -> int:
        """The number of the first cell of the element."""
        if not isinstance(index, int):
            hint = "; write a[i][j]" if isinstance(index, tuple) else ""
            raise TypeError(f"an index of {self._name} must be an integer, not {index!r}{hint}")
        if not 0 <= index < self._dims[0]:
            raise IndexError(f"index {int(index)} of {self._name} is out of bounds: it has {self._dims[0]} elements")
        return self._base + int(index) * prod(self._dims[1:])

    def __getitem__(self, index: int) -> Any:
        at = self._at(index)
        if len(self._dims) == 1:
            return self._domain.decode(self._cells[at])
        row = Template(self._domain, self._dims[1:], ())
        return Array.over(self._cells, at, row, f"{self._name}[{int(index)}]")

    def __setitem__(self, index: int, value: object) -> None:
        at = self._at(index)
        if len(self._dims) > 1:
            raise TypeError(f"{self._name}[{int(index)}] is an Array: assign to its elements")
        self._cells[at] = self._domain.encode(value, f"{self._name}[{int(index)}]")

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return any(element == value for element in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        parts = (e.name if isinstance(e, IntEnum) else repr(e) for e in self)
        return f"[{', '.join(parts)}]"


def template(value: object, what: str) -> Template:
    """The shape and the initial cells that a value declares; rejects what is not a declaration."""
    match value:
        case bool():
            return Template(Domain(BoolType()), (), (int(value),))
        case IntEnum():
            return Template(Domain(enum_type(type(value)), type(value)), (), (int(value),))
        case Int():
            return Template(value.domain, (), (value.init,))
        case Array():
            return value.template
        case int():
            raise rejected(f"{what} is an int without a range", f"write Int(lo, hi, {value}) instead of {value}")
        case Enum():
            raise rejected(
                f"{what} is a member of {type(value).__name__}, which is not an IntEnum",
                f"write class {type(value).__name__}(IntEnum)",
            )
        case _:
            raise rejected(
                f"{what} is {_article(type(value).__name__)}, which a state cannot hold",
                "state variables are bool, IntEnum members, Int(lo, hi, init), Bits(width) and Arrays of them",
            )


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def enum_type(cls: EnumClass) -> EnumType:
    return EnumType(cls.__name__, tuple((member.name, int(member)) for member in cls))
