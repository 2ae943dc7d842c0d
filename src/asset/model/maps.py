"""Maps from a finite domain."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Self

from asset.ir.shapes import MapShape, Shape
from asset.model.state import keys_of, template
from asset.model.value_cells import Place, blank
from asset.model.views import Keyed, encoded, key_value, taken, text, value_of


class Map(Keyed, of=MapShape):
    """Items like `item` for some keys of the domain; initially those of `items`. Iterating gives the keys."""

    __slots__ = ()

    def __init__(self, domain: object, item: object, items: Mapping[Any, object] | None = None) -> None:
        shape = MapShape(keys_of(domain, "a Map"), template(item, "a Map's item").shape)
        self._place = self._made(shape, blank(shape), "map")._place
        for key, value in (items or {}).items():
            self[key] = value

    @classmethod
    def _filled(cls, shape: Shape, items: Iterable[object], name: str) -> tuple[int, ...]:
        assert isinstance(items, dict)
        filled = cls._made(shape, blank(shape), name)
        for key, item in items.items():
            filled[key] = item
        return filled._place.snapshot()

    def _item(self, position: tuple[int, ...]) -> Place:
        shape = self._place.shape
        assert isinstance(shape, MapShape)
        return self._place.part(shape.item, 1, *position, suffix=".values")

    def __getitem__(self, key: object) -> Any:
        return value_of(self._item(self._present(key)))

    def get(self, key: object, default: Any = None) -> Any:
        """The key's item, or the default if it has none."""
        if key not in self:
            return default
        return self[key]

    def _dict(self) -> dict[Any, Any]:
        return {key: self[key] for key in self}

    def __eq__(self, other: object) -> bool:
        return self._dict() == other if isinstance(other, dict) else super().__eq__(other)

    def _same(self, other: Map) -> bool:
        return self._dict() == other._dict()

    def keys(self) -> KeysView[Any]:
        """The keys, to be iterated over."""
        return _Keys(self)

    def values(self) -> ValuesView[Any]:
        """The items, to be iterated over, in the order of the keys."""
        return _Values(self)

    def items(self) -> ItemsView[Any, Any]:
        """Pairs of keys and items, to be iterated over."""
        return _Items(self)

    def __reversed__(self) -> Iterator[Any]:
        keys = reversed(list(self._keys.all()))
        return (key_value(self._keys, key) for key in keys if self._place.read(0, *self._keys.positions(key)))

    def __setitem__(self, key: object, value: object) -> None:
        position = self._required(key)
        item = self._item(position)
        item.load(encoded(item.shape, value, f"{item.name}[{text(key)}]"))
        self._place.write(1, 0, *position)

    def __delitem__(self, key: object) -> None:
        position = self._present(key)
        item = self._item(position)
        item.load(blank(item.shape))
        self._place.write(0, 0, *position)

    def pop(self, key: object, *default: Any) -> Any:
        """Takes the key out, and gives its item, or the default if there is one and the key is not there."""
        if default and key not in self:
            (otherwise,) = default
            return otherwise
        item = taken(self._item(self._present(key)))
        del self[key]
        return item

    def update(self, items: dict[Any, Any]) -> None:
        """Each key of the dict gets its item."""
        for key, item in items.items():
            self[key] = item

    def setdefault(self, key: object, default: object) -> Any:
        """The key's item, which is the default if it had none."""
        if key not in self:
            self[key] = default
        return self[key]

    def __or__(self, other: object) -> dict[Any, Any]:
        """A dict of both; the other one decides about keys that are in both."""
        return {**self._dict(), **other} if isinstance(other, dict | Map) else NotImplemented

    def __ror__(self, other: object) -> dict[Any, Any]:
        return {**other, **self._dict()} if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Self:  # type: ignore[misc]  # in place, as that of a dict
        self.update(other)
        return self

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{text(key)}: {text(self[key])}' for key in self)}}}"


class _Keys(KeysView[Any]):
    """The views change with the Map, as those of a dict do: each key is looked at when its turn comes."""

    _mapping: Map

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._mapping)


class _Values(ValuesView[Any]):
    _mapping: Map

    def __reversed__(self) -> Iterator[Any]:
        return (self._mapping[key] for key in reversed(self._mapping))


class _Items(ItemsView[Any, Any]):
    _mapping: Map

    def __reversed__(self) -> Iterator[tuple[Any, Any]]:
        return ((key, self._mapping[key]) for key in reversed(self._mapping))
