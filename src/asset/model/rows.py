"""What Arrays and Queues have in common with lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from asset.model.views import View, assign, text


class Row(View):
    """Items one after the other; a pattern such as `[first, *rest]` matches it."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __contains__(self, value: object) -> bool:
        return any(item == value for item in self)

    def count(self, value: object) -> int:
        """How many items are equal."""
        return sum(1 for item in self if item == value)

    def index(self, value: object) -> int:
        """The position of the first item that is equal; raises if there is none."""
        for k, item in enumerate(self):
            if item == value:
                return k
        raise ValueError(f"{text(value)} is not in {self._place.name}")

    def __add__(self, other: object) -> list[Any]:
        """A list of the items, with those of a list or a row behind them."""
        return [*self, *other] if isinstance(other, list | Row) else NotImplemented

    def __radd__(self, other: object) -> list[Any]:
        return [*other, *self] if isinstance(other, list) else NotImplemented

    def sort(self, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """The items in order."""
        assign(self._place, sorted(self, key=key, reverse=reverse))

    def reverse(self) -> None:
        """The last item comes first."""
        assign(self._place, list(self)[::-1])

    def __repr__(self) -> str:
        return f"[{', '.join(map(text, self))}]"


Sequence.register(Row)
