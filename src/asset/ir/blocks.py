"""Blocks of statements, made anew with something changed in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from asset.ir import nodes as n

Code = tuple[n.Stmt, ...]


def inside(s: n.Stmt, block: Callable[[Code], Code]) -> n.Stmt:
    """The statement with what `block` makes of each block in it."""
    match s:
        case n.If(cases=cases, orelse=orelse):
            kept = tuple(replace(case, body=block(case.body)) for case in cases)
            return replace(s, cases=kept, orelse=block(orelse))
        case n.While() | n.For():
            return replace(s, body=block(s.body))
    return s


def at_returns(body: Code, leaving: Callable[[n.Return], Code]) -> Code:
    """The code with each return replaced."""
    found: list[n.Stmt] = []
    for s in body:
        found += leaving(s) if isinstance(s, n.Return) else (inside(s, lambda block: at_returns(block, leaving)),)
    return tuple(found)
