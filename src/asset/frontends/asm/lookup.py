"""Tables: static functions, and elements that are made of others."""

from __future__ import annotations

from collections.abc import Iterable

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import (
    NUMBERS,
    UNDEFINED,
    Element,
    Elements,
    Kind,
    Listed,
    Static,
    Truths,
    Undefined,
    code_of,
    flattened,
    kind_over,
    order,
    undef_of,
)
from asset.frontends.asm.problems import Rejected, wrong_number
from asset.frontends.asm.signature import ConstructorInfo
from asset.frontends.asm.tuples import first_is_undef
from asset.frontends.asm.values import (
    MapValue,
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    defined,
    flat,
    noun,
    of_static,
    scalar,
    static_of,
    truth,
)
from asset.ir import nodes as n
from asset.span import Span

MOST_ENTRIES = 1_000_000


def looked_up(table: MapValue, args: tuple[Value, ...], name: str, span: Span) -> Value:
    """The value of a map at the arguments: known at once, or an element of a table."""
    known = [static_of(arg) for arg in args]
    if not table.pairs:
        return UndefValue()
    if all(each is not None for each in known):
        key = known[0] if len(known) == 1 else tuple(each for each in known if each is not None)
        return of_static(next((v for k, v in table.pairs if k == key), UNDEFINED), span)
    given = [part for arg in args for part in flat(arg, span)]
    keys = [flattened(key) for key, _ in table.pairs]
    if any(len(key) != len(given) for key in keys):
        raise Rejected(f"{name} takes other arguments", span)
    first = next((v for _, v in table.pairs if not isinstance(v, Undefined)), UNDEFINED)
    match first:
        case frozenset():
            return _set_looked_up(table, args, name, span)
        case Listed():
            return _sequence_looked_up(table, args, name, span)
    return _Table(name, given, keys, span).looked_up([value for _, value in table.pairs])


def _set_looked_up(table: MapValue, args: tuple[Value, ...], name: str, span: Span) -> Value:
    """A set for each key: which elements are in it is a table of keys and elements."""
    members = [(_keys(key), each) for key, found in table.pairs if isinstance(found, frozenset) for each in found]
    inside = MapValue(tuple(((*key, each), True) for key, each in members))
    universe = tuple(dict.fromkeys(each for _, each in sorted(members, key=lambda pair: order(pair[1]))))

    def test(value: Value) -> n.Expr:
        return truth(looked_up(inside, (*args, value), name, span), span)

    return SetValue(universe, test)


def _sequence_looked_up(table: MapValue, args: tuple[Value, ...], name: str, span: Span) -> Value:
    """A sequence for each key: a table of lengths, and one of keys and positions."""
    found = [(_keys(key), each.items) for key, each in table.pairs if isinstance(each, Listed)]
    lengths = MapValue(tuple((key if len(key) > 1 else key[0], len(items)) for key, items in found))
    items = MapValue(tuple(((*key, place), item) for key, row in found for place, item in enumerate(row)))
    length = looked_up(lengths, args, name, span)
    there = c.conditional(span, defined(length, span), scalar(length, NUMBERS, span).expr, c.const(span, 0))
    capacity = max(len(row) for _, row in found)
    return SequenceValue(there, lambda at: looked_up(items, (*args, Scalar(at, NUMBERS)), name, span), capacity)


def _keys(key: Static) -> tuple[Static, ...]:
    return key if isinstance(key, tuple) else (key,)


class _Table:
    """An array of all values that the arguments can have, between the least and the greatest."""

    def __init__(self, name: str, given: list[Scalar], keys: list[tuple[Static, ...]], span: Span) -> None:
        self._name, self._span = name, span
        kinds = [kind_of_all(column, span) for column in zip(*keys, strict=True)]
        self._given = [scalar(value, kind, span) for value, kind in zip(given, kinds, strict=True)]
        self._keys = [tuple(map(code_of, key, kinds)) for key in keys]
        columns = list(zip(*self._keys, strict=True))
        whole = [range(len(k.known)) if isinstance(k, Elements) else None for k in kinds]
        self._ranges = [
            every or range(min(column), max(column) + 1) for every, column in zip(whole, columns, strict=True)
        ]
        size = 1
        for each in self._ranges:
            size *= len(each)
        if size > MOST_ENTRIES:
            raise Rejected(f"the table of {name} would have {size:,} entries", span)
        self._size = size

    def looked_up(self, values: list[Static]) -> Value:
        like = next((value for value in values if not isinstance(value, Undefined)), UNDEFINED)
        if isinstance(like, Undefined):
            return UndefValue()
        if isinstance(like, tuple):
            return self._tuple(values, len(like))
        kind = kind_of_all([value for value in values if not isinstance(value, Undefined)], self._span)
        missing = undef_of(kind)
        cells = [missing] * self._size
        for key, value in zip(self._keys, values, strict=True):
            at = 0
            for code, each in zip(key, self._ranges, strict=True):
                at = at * len(each) + code - each.start
            cells[at] = missing if isinstance(value, Undefined) else code_of(value, kind)
        indices = tuple(
            c.binary(self._span, n.BinaryOp.SUB, value.expr, c.const(self._span, each.start))
            for value, each in zip(self._given, self._ranges, strict=True)
        )
        dims = tuple(map(len, self._ranges))
        table = n.Table(self._span, self._name, dims, tuple(cells), indices)
        inside, codes = self._inside(), tuple(sorted({*cells} - {missing}))
        if c.known(inside) == 1:
            return Scalar(table, kind, missing in cells, codes)
        return Scalar(c.conditional(self._span, inside, table, c.const(self._span, missing)), kind, True, codes)

    def _tuple(self, values: list[Static], count: int) -> TupleValue:
        columns = [[UNDEFINED if isinstance(v, Undefined) else _part(v, k) for v in values] for k in range(count)]
        parts = tuple(map(self.looked_up, columns))
        if not any(map(first_is_undef, values)):
            return TupleValue(parts, first_tells=True)
        there = self.looked_up([UNDEFINED if isinstance(v, Undefined) else True for v in values])
        return TupleValue(parts, truth(there, self._span))

    def _inside(self) -> n.Expr:
        """Whether the arguments are ones that the table has; for others the function is `undef`."""
        tests = []
        for value, each in zip(self._given, self._ranges, strict=True):
            certain = not value.maybe and value.codes is not None and all(code in each for code in value.codes)
            if not certain and (value.maybe or not isinstance(value.kind, Elements | Truths)):
                tests.append(c.one_of(self._span, value.expr, each))
        return c.conjunction(self._span, tests)


def _part(value: Static, k: int) -> Static:
    assert isinstance(value, tuple)
    return value[k]


def kind_of_all(values: Iterable[Static], span: Span) -> Kind:
    """The kind of scalars that are known."""
    kind = kind_over(values)
    if kind is None:
        raise Rejected("tables have numbers, truth values and elements only", span, "use a function with arguments")
    return kind


def constructed(constructor: ConstructorInfo, name: str, args: tuple[Value, ...], span: Span) -> Value:
    """The element that the constructor makes of the arguments; `undef` if the machine has no such element."""
    if len(args) != constructor.arity:
        raise wrong_number(name, constructor.arity, len(args), span)
    known = [static_of(arg) for arg in args]
    if all(each is not None for each in known):
        key = (name, tuple(each for each in known if each is not None))
        code = constructor.kind.known.get(key)
        return UndefValue() if code is None else Scalar(c.const(span, code), constructor.kind)
    made = [(given, code) for (made_by, given), code in constructor.kind.known.items() if made_by == name]
    pairs = [(given[0] if len(given) == 1 else given, Element(constructor.kind, code)) for given, code in made]
    return looked_up(MapValue(tuple(pairs)), args, name, span)


def taken_apart(constructor: ConstructorInfo, name: str, value: Value, span: Span) -> tuple[n.Expr, list[Value]]:
    """Whether an element was made by the constructor, and of what."""
    if not isinstance(value, Scalar) or value.kind is not constructor.kind:
        raise Rejected(f"{name} makes elements of {constructor.kind.name}, and this is {noun(value)}", span)
    made = {code: given for (made_by, given), code in constructor.kind.known.items() if made_by == name}
    test = c.one_of(span, value.expr, sorted(made))
    if not made:
        return test, []
    parts: list[Value] = []
    for k in range(constructor.arity):
        pairs = tuple((Element(constructor.kind, code), given[k]) for code, given in made.items())
        found = looked_up(MapValue(pairs), (value,), name, span)
        parts.append(Scalar(found.expr, found.kind, within=found.within) if isinstance(found, Scalar) else found)
    return test, parts
