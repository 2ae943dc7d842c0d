"""Statements as an expression: a function of their own, which is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from asset.ir import nodes as n
from asset.ir.program import Function
from asset.span import Span


def outlined(code: Sequence[n.Stmt], slots: Sequence[str], before: int, span: Span) -> tuple[Function, tuple[int, ...]]:
    """The function of the statements, and the slots that it is given.

    These are the slots from the first `before` ones that the statements use; all others are its own.
    """
    used = sorted({slot for node in n.walk(*code) for slot in _slots(node)})
    given = tuple(slot for slot in used if slot < before)
    numbers = {slot: number for number, slot in enumerate((*given, *(slot for slot in used if slot >= before)))}
    body = tuple(_renumbered(statement, numbers) for statement in code)
    return Function("part", len(given), tuple(slots[slot] for slot in numbers), body, span), given


def _slots(node: n.Node) -> tuple[int, ...]:
    slot = getattr(node, "slot", None)
    return () if slot is None else (slot,)


def _renumbered(node: Any, numbers: Mapping[int, int]) -> Any:
    """The node with other numbers for its slots."""
    changed: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == "slot":
            changed["slot"] = numbers[value]
        elif isinstance(value, n.Node):
            changed[field.name] = _renumbered(value, numbers)
        elif isinstance(value, tuple) and any(isinstance(part, n.Node) for part in value):
            changed[field.name] = tuple(_renumbered(p, numbers) if isinstance(p, n.Node) else p for p in value)
    return replace(node, **changed) if changed else node
