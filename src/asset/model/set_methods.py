"""The methods that all sets have: operators by name, with any number of operands, which need not be sets."""

from __future__ import annotations

from collections.abc import Callable
from operator import and_, or_, sub, xor
from typing import Any, Self

from asset.model.views import View, assign


class SetMethods(View):
    """The state types that are sets; they have the operators."""

    __slots__ = ()

    def _folded(self, operator: Callable[[Any, Any], Any], others: tuple[Any, ...]) -> Any:
        if not others:
            raise TypeError("at least one set is needed")
        result: Any = self
        for other in others:
            result = operator(result, _as_set(other))
        return result

    def union(self, *others: Any) -> Any:
        return self._folded(or_, others)

    def intersection(self, *others: Any) -> Any:
        return self._folded(and_, others)

    def difference(self, *others: Any) -> Any:
        return self._folded(sub, others)

    def symmetric_difference(self, *others: Any) -> Any:
        return self._folded(xor, others)

    def update(self, *others: Any) -> None:
        """The items of other sets are in this one too."""
        assign(self._place, self._folded(or_, others))

    def intersection_update(self, *others: Any) -> None:
        assign(self._place, self._folded(and_, others))

    def difference_update(self, *others: Any) -> None:
        assign(self._place, self._folded(sub, others))

    def symmetric_difference_update(self, *others: Any) -> None:
        assign(self._place, self._folded(xor, others))

    def __ior__(self, other: Any) -> Self:
        assign(self._place, or_(self, other))
        return self

    def __iand__(self, other: Any) -> Self:
        assign(self._place, and_(self, other))
        return self

    def __isub__(self, other: Any) -> Self:
        assign(self._place, sub(self, other))
        return self

    def __ixor__(self, other: Any) -> Self:
        assign(self._place, xor(self, other))
        return self

    def issubset(self, other: Any) -> bool:
        return not sub(self, _as_set(other))

    def issuperset(self, other: Any) -> bool:
        return not sub(_as_set(other), self)

    def isdisjoint(self, other: Any) -> bool:
        return not and_(self, _as_set(other))


def _as_set(value: Any) -> Any:
    return value if isinstance(value, SetMethods | set | frozenset) else set(value)
