"""The functions of the standard library on values of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from asset.frontends.asm import code as c
from asset.frontends.asm import texts
from asset.frontends.asm import tree as t
from asset.frontends.asm.arithmetic import ROUND, absolute, computation, rounded, strict
from asset.frontends.asm.bags import BagFunctions
from asset.frontends.asm.folding import Folding
from asset.frontends.asm.judging import as_value, judged, negated
from asset.frontends.asm.kinds import NUMBERS
from asset.frontends.asm.lookup import looked_up
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.sequences import SequenceFunctions, as_set
from asset.frontends.asm.sets import SetFunctions
from asset.frontends.asm.signature import Signature
from asset.frontends.asm.static_library import LIBRARY, NOT_READ, OF_NOTHING, SAME
from asset.frontends.asm.values import (
    BagValue,
    ChangingMap,
    MapValue,
    Scalar,
    SequenceValue,
    SetValue,
    TupleValue,
    UndefValue,
    Value,
    as_changing,
    boolean,
    chosen,
    defined,
    either,
    equal,
    noun,
    number,
    of_static,
    scalar,
    static_of,
)
from asset.ir import nodes as n
from asset.span import Span

_LINEAR_AND_BRANCHING = {"ag", "af", "ax", "eg", "ef", "ex", "au", "eu", "aw", "ew", "g", "f", "x", "u", "v", "w", "r"}
_PAST = {"o", "h", "y", "z", "s", "t"}
_PATTERNS = {"absenceG", "absenceBefore", "absenceAfter", "absenceBetween", "absenceAfterUntil", "ap", "pb"}
_EITHER_CASE = _LINEAR_AND_BRANCHING | _PAST
TEMPORAL = frozenset(_EITHER_CASE | {each.upper() for each in _EITHER_CASE} | _PATTERNS | {"e", "a", "exN", "axN"})
"""The operators of temporal logic, and the patterns of the library for CTL."""


def applied(folding: Folding, names: Signature, term: t.Apply, args: tuple[Value, ...]) -> Value | None:
    """What a function of the library gives; None if there is no such function."""
    name, span = term.name, term.span
    text = of_texts(folding, names, name, args, span)
    if text is not None:
        return text
    if name == "print":  # nothing is printed while a machine is checked; it gives how much it was given to print
        return of_static(len(args), span)
    if name in NOT_READ:
        raise Rejected(f"{name} of the standard library is not part of what is read", span, NOT_READ[name])
    if name not in LIBRARY or not LIBRARY.arity(name, len(args)):
        return None
    known = [static_of(arg) for arg in args]
    if all(each is not None for each in known):
        found = LIBRARY[name](*known)
        if found is not None:
            return of_static(found, span)
    if name in OF_NOTHING and isinstance(args[0], UndefValue):
        return boolean(c.const(span, 0))
    result = _of_any(folding, name, args, span)
    unsure = [arg for arg in args if isinstance(arg, SetValue | SequenceValue | BagValue) and arg.there is not None]
    return result if not unsure or name in (*_OF_ONE, *OF_NOTHING) else _strict(result, unsure, span)


def of_texts(folding: Folding, names: Signature, name: str, args: tuple[Value, ...], span: Span) -> Value | None:
    """What a function of strings and characters gives: it is looked up in a table of all texts that there may be."""
    if not any(isinstance(arg, Scalar) and arg.kind.name in ("String", "Char") for arg in args) and name != "toString":
        return None
    known = [static_of(arg) for arg in args]
    if all(each is not None for each in known):
        found = texts.applied(names, name, tuple(each for each in known if each is not None), span)
        return None if found is None else of_static(found, span)
    possible = [folding.possible(arg) if isinstance(arg, Scalar) else None for arg in args]
    if any(each is None for each in possible):
        return None
    pairs = texts.table(names, name, [each for each in possible if each is not None], span)
    return None if pairs is None else looked_up(MapValue(pairs), args, name, span)


def _strict(result: Value, unsure: Sequence[Value], span: Span) -> Value:
    """The result, or `undef` if an argument is."""
    there = c.conjunction(span, (defined(arg, span) for arg in unsure))
    match result:
        case SetValue() | SequenceValue() | BagValue():
            return replace(result, there=c.conjunction(span, (there, defined(result, span))))
    return either(there, result, UndefValue(), span)


def _of_any(folding: Folding, name: str, args: tuple[Value, ...], span: Span) -> Value:
    first = args[0]
    if name in _OF_ONE:
        return _OF_ONE[name](first, span)
    if name in SAME:
        return first
    if name == "member":
        return _of_any(folding, "contains", (args[1], first), span)
    if name in ("min", "max") and len(args) == 2:
        return computation(name, number(first, span), number(args[1], span), span)
    found: Value | None = None
    bags = BagFunctions(SetFunctions(folding, span).possible, span)
    match first, name:
        case (BagValue(), _) | (SetValue(), "asBag"):
            found = bags.applied(name, args)
        case SetValue(), _ if any(isinstance(arg, BagValue) for arg in args):
            found = bags.applied(name, args)
        case SequenceValue(length, item, capacity), "asBag":
            places = [c.const(span, k) for k in range(capacity)]
            found = bags.of_items([(c.binary(span, n.BinaryOp.GT, length, at), item(at)) for at in places])
        case SetValue(), _:
            found = SetFunctions(folding, span).applied(name, args)
        case SequenceValue(), "asSet":
            found = items_of(folding, first, span)
        case TupleValue(parts), _ if name in PLACES and PLACES[name] < len(parts):
            return parts[PLACES[name]]
        case TupleValue(parts), "at" if len(args) == 2:
            return chosen(parts, scalar(args[1], NUMBERS, span).expr, span)
        case (SequenceValue(), _) | (_, "prepend"):
            found = SequenceFunctions(span).applied(name, args)
        case ((MapValue() | ChangingMap()), _):
            found = _of_map(folding, name, args, span)
        case UndefValue(), _:
            return first
    if found is None:
        remedy = "give it a set, a sequence, a bag, a map or numbers, as the standard library says"
        if name == "asSequence":
            remedy = "chooseone(S) is any element of a set that changes"
        raise Rejected(f"{name} is not defined for {noun(first)} here", span, remedy)
    return found


def _of_map(folding: Folding, name: str, args: tuple[Value, ...], span: Span) -> Value | None:
    first = as_changing(args[0], span)
    match name, args[1:]:
        case "at", (key,):
            return first.at(key)
        case "assign", (key, value):
            keys = tuple(dict.fromkeys((*first.keys, *SetFunctions(folding, span).possible(key))))
            return ChangingMap(keys, lambda k: either(equal(k, key, span), value, first.at(k), span))
        case "merge", (other,):
            second = as_changing(other, span)
            keys = tuple(dict.fromkeys((*first.keys, *second.keys)))

            def merged(key: Value) -> Value:
                new = second.at(key)
                return either(defined(new, span), new, first.at(key), span)

            return ChangingMap(keys, merged)
    return None


def items_of(folding: Folding, of: SequenceValue, span: Span) -> SetValue:
    """The set of the items of a sequence."""
    functions = SetFunctions(folding, span)
    items = [of.item(c.const(span, k)) for k in range(of.capacity)]
    universe = tuple(dict.fromkeys(each for item in items for each in functions.possible(item)))
    return as_set(of, SetValue(universe), span)


def _absolute(value: Value, span: Span) -> Value:
    given = number(value, span)
    codes = given.codes and tuple(sorted({abs(code) for code in given.codes}))
    return strict(absolute(given.expr, span), (given,), codes, span, given.kind)


def _rounded(name: str, value: Value, span: Span) -> Value:
    return rounded(name, number(value, span), span)


_OF_ONE: Mapping[str, Callable[[Value, Span], Value]] = {
    "isDef": lambda value, span: boolean(defined(value, span)),
    "isUndef": lambda value, span: boolean(c.negation(span, defined(value, span))),
    "not": lambda value, span: as_value(negated(judged(value, span), span), span),
    "abs": _absolute,
    **{name: partial(_rounded, name) for name in ROUND},
}
PLACES = {
    name: place
    for place, name in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"))
}
"""The functions that give the parts of a tuple."""
