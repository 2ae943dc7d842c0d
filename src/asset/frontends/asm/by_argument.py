"""Functions that call themselves: what they give for each value of an argument that has few.

Then the text tells which way a condition goes, and when the calls end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from asset.frontends.asm import code as c
from asset.frontends.asm.kinds import ScalarSort, Static, value_of
from asset.frontends.asm.signature import FunctionInfo
from asset.frontends.asm.values import (
    Scalar,
    SetValue,
    UndefValue,
    Value,
    contains,
    either,
    equal,
    of_static,
    static_of,
)
from asset.span import Span

MOST_APART = 64
"""Values of an argument that a function is written out for, one by one."""

Arguments = tuple[Value, ...]


def by_argument(
    function: FunctionInfo, args: Arguments, applied: Callable[[Arguments], Value], span: Span
) -> Value | None:
    """What the function gives, with one argument more that is known. It is `undef` outside its domain, and if an
    argument is `undef`.

    None if all arguments are known, or are no such numbers, elements or sets."""

    def applied_at(place: int, known: Static) -> Value:
        return applied((*args[:place], of_static(known, span), *args[place + 1 :]))

    for place, (arg, sort) in enumerate(zip(args, function.args, strict=False)):
        given = partial(applied_at, place)
        if static_of(arg) is not None:
            continue
        if isinstance(arg, Scalar) and arg.codes and len(arg.codes) <= MOST_APART:
            taken = sort.codes if isinstance(sort, ScalarSort) else None
            inside = [code for code in arg.codes if taken is None or code in taken]
            return _by_code(arg, inside, given, span)
        if isinstance(arg, SetValue) and 2 ** len(arg.universe) <= MOST_APART:
            there = c.const(span, 1) if arg.there is None else arg.there
            return either(there, _by_elements(arg, (), given, span), UndefValue(), span)
    return None


def _by_code(arg: Scalar, codes: list[int], given: Callable[[Static], Value], span: Span) -> Value:
    found: Value = UndefValue()
    for known in (value_of(arg.kind, code) for code in reversed(codes)):
        found = either(equal(arg, of_static(known, span), span), given(known), found, span)
    return found


def _by_elements(arg: SetValue, decided: tuple[bool, ...], given: Callable[[Static], Value], span: Span) -> Value:
    """For each set that the argument can be; it is decided of its first elements whether they are in."""
    if len(decided) == len(arg.universe):
        return given(frozenset(each for each, there in zip(arg.universe, decided, strict=True) if there))
    test = contains(arg, of_static(arg.universe[len(decided)], span), span)
    inside, outside = (_by_elements(arg, (*decided, there), given, span) for there in (True, False))
    return either(test, inside, outside, span)
