"""Arrays: a fixed number of items of one shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any

from asset.ir.shapes import ArrayShape, Shape
from asset.model.rows import Row
from asset.model.state import rejected, template
from asset.model.value_cells import Place, stacked
from asset.model.views import assign, encoded, value_of


class Array(Row, of=ArrayShape):
    """`length` copies of `item`, indexed from 0, or by the members of an IntEnum; a negative index is out of bounds.
    Items may be of any shape."""

    __slots__ = ()

    def __init__(self, length: int | type[IntEnum], item: object) -> None:
        if isinstance(length, type) and issubclass(length, IntEnum):
            if sorted(map(int, length)) != list(range(len(length))):
                raise rejected(
                    f"the members of {length.__name__}, the indices of an Array, are not 0, 1, 2, …",
                    f"number them so, or use a Map: Map({length.__name__}, …)",
                )
            length = len(length)
        if isinstance(length, bool) or not isinstance(length, int) or length < 0:
            raise rejected(f"the length of an Array must be an integer of at least 0, not {length!r}")
        part = template(item, "an Array's item")
        made = self._made(ArrayShape(int(length), part.shape), stacked(part.shape, [part.cells] * length), "array")
        self._place = made._place

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> tuple[int, ...]:
        assert isinstance(shape, ArrayShape)
        given = list(items)
        if len(given) != shape.length:
            raise ValueError(f"{name} has {shape.length} elements, not {len(given)}")
        return stacked(shape.item, [encoded(shape.item, item, f"{name}[{k}]") for k, item in enumerate(given)])

    @property
    def _shape(self) -> ArrayShape:
        shape = self._place.shape
        assert isinstance(shape, ArrayShape)
        return shape

    def __len__(self) -> int:
        return self._shape.length

    def _at(self, index: object) -> Place:
        """The place of the element."""
        name = self._place.name
        if not isinstance(index, int):
            hint = "; write a[i][j]" if isinstance(index, tuple) else ""
            raise TypeError(f"an index of {name} must be an integer, not {index!r}{hint}")
        if not 0 <= index < len(self):
            raise IndexError(f"index {int(index)} of {name} is out of bounds: it has {len(self)} elements")
        return self._place.part(self._shape.item, 0, int(index))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        return value_of(self._at(index))

    def __setitem__(self, index: Any, value: object) -> None:
        if index == slice(None):
            assign(self._place, value)
        else:
            assign(self._at(index), value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
