"""Functions of strings and characters. A machine has finitely many texts: those that it mentions, and what functions of
these give where everything is a constant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import Element, Listed, Static, shown
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import Signature
from asset.span import Span

Answer = str | int | bool | list[str] | None
MOST_PAIRS = 4096

_FUNCTIONS: Mapping[str, Callable[..., Answer]] = {
    "plus": lambda a, b: str(a) + str(b),
    "concat": lambda a, b: str(a) + str(b),
    "toUpper": lambda a: a.upper(),
    "toLower": lambda a: a.lower(),
    "subString": lambda a, low, high: a[low:high] if 0 <= low <= high <= len(a) else None,
    "contains": lambda a, b: b in a,
    "size": len,
    "split": lambda a, b: a.split(b) if b else None,
    "toInteger": lambda a: int(a) if a.lstrip("-").isdecimal() else None,
    "toNatural": lambda a: int(a) if a.isdecimal() else None,
    "toChar": lambda a: a if len(a) == 1 else None,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
_OPERATORS = {"+": "plus", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
NAMES = frozenset({*_FUNCTIONS, "toString"})


def is_text(value: object) -> bool:
    return isinstance(value, Element) and value.kind.name in ("String", "Char")


def makes_text(term: t.Node) -> bool:
    """Whether the term is one that may give a text that the machine does not mention."""
    match term:
        case t.Binary(op="+"):
            return True
        case t.Apply(name=name):
            return name in NAMES
    return False


def applied(names: Signature, name: str, args: tuple[Static, ...], span: Span) -> Static | None:
    """What a function or an operator gives for texts that are known; None if it is not one of texts."""
    name = _OPERATORS.get(name, name)
    if name == "toString" and len(args) == 1:
        return _text(names, _content(args[0]), "String", span)
    if name not in _FUNCTIONS or not any(map(is_text, args[:2])):
        return None
    try:
        answer = _FUNCTIONS[name](*(_content(arg) if not isinstance(arg, int) else arg for arg in args))
    except TypeError:
        return None
    if answer is None:
        raise Rejected(f"{name} is not defined for ({', '.join(map(shown, args))})", span)
    match answer:
        case str():
            return _text(names, answer, "Char" if name == "toChar" else "String", span)
        case list():
            return Listed(tuple(_text(names, each, "String", span) for each in answer))
    return answer


def _content(value: Static) -> str:
    return shown(value)[1:-1] if is_text(value) else shown(value)


def _text(names: Signature, content: str, domain: str, span: Span) -> Element:
    found = names.text(t.Text(span, content, domain))
    if names.complete and found.code not in found.kind.listed:
        raise Rejected(
            f"{found.kind.label(found.code)} is a text that the machine does not mention",
            span,
            "mention it in a finiteness constraint of the function that gets it",
        )
    found.kind.listed.add(found.code)
    return found


def table(
    names: Signature, name: str, possible: list[tuple[Static, ...]], span: Span
) -> tuple[tuple[Static, Static], ...] | None:
    """What a function gives for all arguments that there may be; None if it is not one of texts."""
    if not any(any(map(is_text, each)) for each in possible) or prod(map(len, possible)) > MOST_PAIRS:
        return None
    pairs = []
    for args in product(*possible):
        found = applied(names, name, args, span)
        if found is None:
            return None
        pairs.append((args[0] if len(args) == 1 else args, found))
    return tuple(pairs)
