"""Elements that nothing tells apart: exchanging two of them makes steps of steps.

**Theorem.** Let two elements of abstract domains be in the same domains, and let no rule, definition, initial state or
property mention either of them. Then exchanging them in all locations of two states makes a step of a step, and keeps
what properties say. For a term is evaluated, and a rule makes updates, by what its text says of its parts; names,
comparisons, sets, quantifiers, `forall` and `choose` over a domain do the same with renamed elements, the environment
may give each location any value, and there are no constants to rename. What depends on the order of elements is not
among this: texts made of them, sequences made of sets. New elements are taken in order, so they are not exchanged.

Which command makes the step is not said: what a number of inputs stands for depends on what was drawn before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import (
    Bagged,
    BagSort,
    Element,
    Elements,
    Kind,
    Listed,
    Mapped,
    MapSort,
    Packed,
    ScalarSort,
    SequenceSort,
    SetSort,
    Static,
)
from asset.frontends.asm.library import TEMPORAL
from asset.frontends.asm.packing import scalars
from asset.frontends.asm.signature import Signature
from asset.frontends.asm.storage import Stored
from asset.ir.program import Exchange, Variable

_ORDERED = frozenset({"asSequence", "toString", "id", "getAgent"})
"""Functions of the library that may tell elements apart."""


def exchanges(names: Signature, stored: Mapping[str, Stored], variables: Sequence[Variable]) -> tuple[Exchange, ...]:
    """Generators of all exchanges of elements that are alike."""
    if _has_order(names):
        return ()
    pairs = [pair for group in _groups(names) for pair in pairwise(group)]
    made = (_exchange(pair, stored, variables) for pair in pairs)
    return tuple(each for each in made if each is not None)


def _parts(names: Signature) -> tuple[t.Node, ...]:
    machine = names.machine
    return (*machine.definitions, *machine.constraints, *machine.rules, *machine.specifications, *machine.initials)


def _has_order(names: Signature) -> bool:
    """Whether something may depend on the order of elements, or a formula speaks of each of them by itself."""
    for node in t.walk(*_parts(names)):
        match node:
            case t.Apply(name=name) if name in _ORDERED:
                return True
            case t.Comprehension(collects="sequence"):
                return True
            case t.Quantified() if any(isinstance(each, t.Apply) and each.name in TEMPORAL for each in t.walk(node)):
                return True
    return False


def _groups(names: Signature) -> Iterator[list[Element]]:
    """The elements that are in the same domains, and that nothing mentions."""
    mentioned = {node.name for node in t.walk(*_parts(names)) if isinstance(node, t.Name | t.Apply)}
    mentioned |= {each.domain for initial in names.machine.initials for each in initial.agents}
    named = {element: name for name, element in names.constants.items()}
    found: dict[tuple[object, ...], list[Element]] = defaultdict(list)
    kinds = {sort.kind for sort in names.domains.values() if isinstance(sort, ScalarSort)}
    for kind in kinds:
        if isinstance(kind, Elements) and kind.alike:
            for code in range(len(kind.known)):
                element = Element(kind, code)
                if named.get(element) not in mentioned and not names.is_reserved(element):
                    found[kind.name, _domains_of(names, element)].append(element)
    yield from (group for group in found.values() if len(group) > 1)


def _domains_of(names: Signature, element: Element) -> frozenset[str]:
    return frozenset(
        name
        for name, sort in names.domains.items()
        if isinstance(sort, ScalarSort) and sort.kind is element.kind and element.code in (sort.codes or ())
    )


def _exchange(
    pair: tuple[Element, Element], stored: Mapping[str, Stored], variables: Sequence[Variable]
) -> Exchange | None:
    """What exchanging the two does to the cells of a state; None if it leads out of what functions take."""
    renamed = _Renamed(*pair)
    cells: list[int] = []
    values: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    sorts = [each for place in stored.values() for each in _leaves(place)]
    assert len(sorts) == len(variables)
    for variable, (dims, of) in zip(variables, sorts, strict=True):
        offset = len(cells)
        moved = renamed.codes(of, variable.type.lo, variable.type.hi)
        rows = [renamed.places(dim, size) for dim, size in zip(dims, variable.dims, strict=True)]
        if moved is None or any(row is None for row in rows):
            return None
        for at in product(*map(range, variable.dims)):
            place = 0
            for k, row, size in zip(at, rows, variable.dims, strict=True):
                place = place * size + (row or ())[k]
            if moved:
                values.append((len(cells), moved))
            cells.append(offset + place)
    return Exchange(tuple(cells), tuple(values))


def _leaves(place: Stored) -> Iterator[tuple[tuple[ScalarSort | None, ...], ScalarSort | None]]:
    """Of each variable of a function: what its dimensions are, and what its values are, if these may be elements."""
    given, result = place.arguments, place.result
    match result:
        case SetSort(of) | BagSort(of):
            yield (*given, *scalars((of,))), None
        case SequenceSort(of):
            yield given, None
            yield from (((*given, None), part) for part in scalars((of,)))
        case MapSort(keys, of):
            yield from (((*given, *scalars((keys,))), part) for part in scalars((of,)))
        case _:
            yield from ((given, part) for part in scalars((result,)))
    yield from ((given, None) for _ in place.says_whether)


class _Renamed:
    def __init__(self, one: Element, other: Element) -> None:
        self._images = {one: other, other: one}

    def codes(self, of: ScalarSort | None, low: int, high: int) -> tuple[tuple[int, int], ...] | None:
        """What the values of a variable become, without those that stay; None if one is no value of it."""
        image = None if of is None else self._image(of.kind)
        if of is None or image is None:
            return ()
        found = tuple((code, image(code)) for code in of.codes or () if image(code) != code)
        return found if all(low <= to <= high and to in (of.codes or ()) for _, to in found) else None

    def places(self, of: ScalarSort | None, size: int) -> tuple[int, ...] | None:
        """What the indices of a dimension become; None if one is outside."""
        image = None if of is None else self._image(of.kind)
        if of is None or image is None:
            return tuple(range(size))
        first, taken = of.bounds[0], set(of.codes or ())
        row = tuple(image(first + k) - first if first + k in taken else k for k in range(size))
        return row if all(first + to in taken or to == k for k, to in enumerate(row)) else None

    def _image(self, kind: Kind) -> Callable[[int], int] | None:
        """What becomes of the codes of a kind; None if all stay."""
        if kind is next(iter(self._images)).kind:
            codes = {a.code: b.code for a, b in self._images.items()}
            return lambda code: codes.get(code, code)
        if isinstance(kind, Packed):
            places, values = kind.places, kind.values
            return lambda code: places[self._value(values[code])] if code >= 0 else code
        return None

    def _value(self, value: Static) -> Static:
        match value:
            case Element():
                return self._images.get(value, value)
            case tuple():
                return tuple(map(self._value, value))
            case frozenset():
                return frozenset(map(self._value, value))
            case Listed(items):
                return Listed(tuple(map(self._value, items)))
            case Bagged(counts):
                return Bagged(frozenset((self._value(each), count) for each, count in counts))
            case Mapped(pairs):
                return Mapped.of((self._value(key), self._value(each)) for key, each in pairs)
        return value
