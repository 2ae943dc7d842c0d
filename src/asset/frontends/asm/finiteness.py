"""What is finite: the arguments and the values of functions, and the domains that are part of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from asset.frontends.asm.kinds import (
    MOST_NUMBER,
    MOST_PACKED,
    AnySort,
    Bagged,
    BagSort,
    Element,
    Listed,
    Mapped,
    MapSort,
    Numbers,
    ScalarSort,
    SequenceSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    code_of,
    is_number,
    magnitude,
    numbers,
    scalars_of,
    shown,
    values_of,
)
from asset.frontends.asm.problems import Poisoned, Rejected
from asset.frontends.asm.signature import FunctionInfo
from asset.frontends.asm.values import common_parts
from asset.span import Span

MOST_LOCATIONS = 1_000_000
MOST_FRACTIONS = 4_096


def argument_values(function: FunctionInfo) -> list[tuple[Static, ...]]:
    found = []
    for number, arg in enumerate(function.args, start=1):
        values = values_of(arg)
        if values is None:
            raise Rejected(
                f"argument {number} of {function.name} has infinitely many values",
                function.span,
                f"say which it takes: //@ {function.name}($x in {{0 : 3}}) in … (in ASM-SL: with …)",
            )
        found.append(values)
    return found


def require_finite(function: FunctionInfo, asked: set[str]) -> None:
    """Raises Rejected if there are not finitely many locations, and values that can be stored.

    Of the domains `asked`, it was asked already how many elements they have."""
    locations = 1
    for values, sort in zip(argument_values(function), function.args, strict=True):
        if not values:
            _reject_empty(function, sort, asked)
        locations *= max(len(values), 1)
    if locations > MOST_LOCATIONS:
        raise Rejected(f"{function.name} has {locations:,} locations", function.span, "choose smaller domains")
    for part in all_parts(function.result):
        match part:
            case SequenceSort(capacity=None):
                raise Rejected(
                    f"the sequences of {function.name} may have any length",
                    function.span,
                    _constraint(f"length({function.name})"),
                )
            case BagSort(most=None):
                raise Rejected(
                    f"the bags of {function.name} may have any number of an element",
                    function.span,
                    _constraint(f"count({function.name})"),
                )
            case AnySort():
                raise Rejected(f"{function.name} can be anything", function.span, "give it a domain of its own")
            case ScalarSort(codes=None):
                raise Rejected(
                    f"{function.name} has infinitely many values",
                    function.span,
                    _constraint(function.name),
                )
    match function.result:
        case SequenceSort(of) | SetSort(of) | BagSort(of):
            below = scalars_of(of)
        case MapSort(keys, of):
            below = scalars_of(TupleSort((keys, of)))
        case None:
            below = None
        case result:
            below = scalars_of(result)
    if below is None:
        raise Rejected(
            f"{function.name} has values that cannot be stored: more than {MOST_PACKED:,} sets or sequences inside "
            "others",
            function.span,
            "choose smaller domains, or use a function with one more argument",
        )
    for part in below:
        if part.codes == ():
            _reject_empty(function, part, asked)


def _constraint(what: str) -> str:
    return f"bound it in the definitions: //@ {what} in {{0 : 3}} (in ASM-SL: with {what} in {{0..3}})"


def all_parts(sort: Sort | None) -> Iterator[Sort]:
    """The sort and all that it is made of."""
    if sort is None:
        return
    yield sort
    match sort:
        case TupleSort(parts):
            for part in parts:
                yield from all_parts(part)
        case MapSort(keys, of):
            yield from all_parts(keys)
            yield from all_parts(of)
        case SequenceSort(of) | SetSort(of) | BagSort(of):
            yield from all_parts(of)


def is_finite(sort: Sort) -> bool:
    """Whether there are finitely many values."""
    return not any(map(_is_endless, all_parts(sort)))


def _is_endless(part: Sort) -> bool:
    match part:
        case ScalarSort(codes=None) | SequenceSort(capacity=None) | BagSort(most=None) | AnySort():
            return True
    return False


def bounded(sort: Sort, kind: type[SequenceSort] | type[BagSort], most: int) -> Sort:
    """The sort with all sequences no longer than that, or with no element more often in a bag."""
    match sort:
        case TupleSort(parts):
            return TupleSort(tuple(bounded(part, kind, most) for part in parts))
        case SetSort(of):
            return SetSort(bounded(of, kind, most))
        case MapSort(keys, of):
            return MapSort(bounded(keys, kind, most), bounded(of, kind, most))
        case SequenceSort(of, capacity):
            return SequenceSort(bounded(of, kind, most), most if kind is SequenceSort else capacity)
        case BagSort(of, count):
            return BagSort(bounded(of, kind, most), most if kind is BagSort else count)
    return sort


def with_elements(
    sort: SequenceSort | SetSort | BagSort | MapSort, values: Iterable[Static], span: Span
) -> SequenceSort | SetSort | BagSort | MapSort:
    """The sort with these elements, which are those of the innermost sets or sequences; of maps, values."""
    if isinstance(sort.of, SequenceSort | SetSort | BagSort | MapSort):
        return replace(sort, of=with_elements(sort.of, values, span))
    return replace(sort, of=restricted(sort.of, values, span))


def _reject_empty(function: FunctionInfo, sort: Sort, asked: set[str]) -> None:
    """The domain has no elements; if a rule extends it, it was asked already how many there may be."""
    name = sort.kind.name if isinstance(sort, ScalarSort) else "a domain"
    raise (Poisoned if name in asked else Rejected)(
        f"{function.name} is about {name}, which has no elements",
        function.span,
        f"declare elements, as static {name.lower()}1: {name}, or ask for some: -p {name}=2",
    )


def kind_of_all(values: Iterable[Static], span: Span) -> ScalarSort:
    """The kind that all these elements are of."""
    kinds = {each.kind if isinstance(each, Element) else None for each in values}
    kind = next(iter(kinds), None)
    if len(kinds) != 1 or kind is None:
        raise Rejected(
            "the elements of a part of Any are of one enum or abstract domain here", span, "make it an enum domain"
        )
    return ScalarSort(kind)


def restricted(sort: Sort, values: Iterable[Static], span: Span) -> Sort:
    """The values of the sort that are among these; of tuples each part by itself."""
    values = list(values)
    match sort:
        case ScalarSort(kind):
            for value in values:
                _require_kind(sort, value, span)
            if isinstance(kind, Numbers):
                kind = _counted(values, span)
            return ScalarSort(kind, tuple(sorted({code_of(value, kind) for value in values})))
        case TupleSort(parts):
            if not all(isinstance(value, tuple) and len(value) == len(parts) for value in values):
                raise Rejected(f"these are to be tuples of {len(parts)} parts", span)
            columns = [[value[k] for value in values if isinstance(value, tuple)] for k in range(len(parts))]
            return TupleSort(tuple(restricted(part, each, span) for part, each in zip(parts, columns, strict=True)))
        case SequenceSort(of) if all(isinstance(value, Listed) for value in values):
            rows = [value.items for value in values if isinstance(value, Listed)]
            items = [item for row in rows for item in row]
            return SequenceSort(restricted(of, items, span) if items else of, max(map(len, rows), default=0))
        case SetSort(of) if all(isinstance(value, frozenset) for value in values):
            members = [each for value in values if isinstance(value, frozenset) for each in value]
            return SetSort(restricted(of, members, span)) if members else sort
        case BagSort(of) if all(isinstance(value, Bagged) for value in values):
            counts = [pair for value in values if isinstance(value, Bagged) for pair in value.counts]
            inside = restricted(of, [each for each, _ in counts], span) if counts else of
            return BagSort(inside, max((count for _, count in counts), default=0))
        case MapSort(keys, of) if all(isinstance(value, Mapped) for value in values):
            pairs = [pair for value in values if isinstance(value, Mapped) for pair in value.pairs]
            columns = [[key for key, _ in pairs], [each for _, each in pairs]]
            return MapSort(*(restricted(sort, each, span) for sort, each in zip((keys, of), columns, strict=True)))
    return sort


def _counted(values: list[Static], span: Span) -> Numbers:
    """What numbers are counted in, so that all of these are whole; of fractions there may be few."""
    per = common_parts((each.denominator for each in values if isinstance(each, int | Fraction)), span)
    if per > 1 and any(magnitude(each) * per > MOST_NUMBER for each in values if isinstance(each, int | Fraction)):
        raise Rejected(f"fractions that need more than {MOST_NUMBER:,} parts are not part of what is read", span)
    if per > 1 and len(values) > MOST_FRACTIONS:
        raise Rejected(f"these are more than {MOST_FRACTIONS:,} fractions", span, "choose a coarser step")
    return numbers(per)


def _require_kind(sort: ScalarSort, value: Static, span: Span) -> None:
    fits = {
        "Boolean": isinstance(value, bool),
        "Integer": is_number(value),
        "Real": is_number(value),
    }.get(sort.kind.name, isinstance(value, Element) and value.kind is sort.kind)
    if not fits:
        raise Rejected(f"{shown(value)} is no value of {sort.kind.name}", span, "list values of that domain")
