"""Static functions as tables of all their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from asset.frontends.asm.kinds import NUMBERS, Static, TupleSort, codes_of, values_of
from asset.frontends.asm.lookup import looked_up
from asset.frontends.asm.packing import like, scalars
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import FunctionInfo
from asset.frontends.asm.statics import NotStatic, StaticEvaluator
from asset.frontends.asm.values import (
    MapValue,
    Scalar,
    SetValue,
    TupleValue,
    Value,
    boolean,
    contains,
    flat,
    of_static,
    scalar,
    static_of,
)
from asset.span import Span

MOST_TABULATED = 4096


@dataclass(frozen=True, slots=True)
class Tabulating:
    evaluator: StaticEvaluator

    def table(self, function: FunctionInfo, args: tuple[Value, ...]) -> Value | None:
        """The static function as a map, or what it is if it has no arguments; None if it is to be written out."""
        definition = function.definition
        assert definition is not None
        if function.category != "static":
            return None
        try:
            if not args or not definition.params:
                return of_static(self.evaluator.value(definition.body, {}), definition.span)
            if all(static_of(arg) is not None for arg in args):
                return self._pairs(function, [(each,) for arg in args if (each := static_of(arg)) is not None])
            domains = [values_of(sort) for sort in function.args]
            if len(domains) != len(args) or any(each is None for each in domains):
                return None
            return self._pairs(function, [each for each in domains if each is not None])
        except NotStatic:
            return None
        except Rejected:
            if not args:
                raise
            return None  # it is wrong for some arguments only

    def _pairs(self, function: FunctionInfo, domains: Sequence[tuple[Static, ...]]) -> Value | None:
        definition = function.definition
        assert definition is not None
        if prod(map(len, domains)) > MOST_TABULATED:
            return None
        pairs = []
        for args in product(*domains):
            env = self.evaluator.bound(definition, args, definition.span)
            pairs.append((args[0] if len(args) == 1 else args, self.evaluator.value(definition.body, env)))
        return MapValue(tuple(pairs))


def called(function: FunctionInfo, value: Value, args: tuple[Value, ...], span: Span) -> Value:
    """A map or a set, used as a function."""
    match value:
        case MapValue() if len(args) == len(function.args) and not _are_flat(args, span):
            return _looked_up_by_places(function, value, args, span)
        case MapValue():
            return looked_up(value, args, function.name, span)
        case SetValue():
            return boolean(contains(value, args[0] if len(args) == 1 else TupleValue(args), span))
    raise Rejected(f"{function.name} takes no arguments", span)


def _are_flat(args: tuple[Value, ...], span: Span) -> bool:
    """Whether there are no sets or sequences among them, or all are known."""
    if all(static_of(arg) is not None for arg in args):
        return True
    try:
        return bool([part for arg in args for part in flat(arg, span)])
    except Rejected:
        return False


def _looked_up_by_places(function: FunctionInfo, table: MapValue, args: tuple[Value, ...], span: Span) -> Value:
    """What the table has for sets and sequences, each by its place among all of its sort."""
    sort = TupleSort(function.args)
    keys = [key if len(args) > 1 else (key,) for key, _ in table.pairs]
    codes = [codes_of(sort, key) for key in keys]
    pairs = [(each if len(each) > 1 else each[0], v) for each, (_, v) in zip(codes, table.pairs, strict=True)]
    kinds = [each.kind for each in scalars((sort,))]
    parts = map(scalar, like(sort, TupleValue(args), span), kinds, [span] * len(kinds))
    given = tuple(Scalar(part.expr, NUMBERS, part.maybe, part.within) for part in parts)
    return looked_up(MapValue(tuple(pairs)), given, function.name, span)
