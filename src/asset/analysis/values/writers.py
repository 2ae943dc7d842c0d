"""Which functions may change the state."""

from __future__ import annotations

from asset.ir import nodes as n
from asset.ir.program import Program


def state_writers(program: Program) -> frozenset[int]:
    """The functions that assign to a state variable, or call one that does."""
    assigns: set[int] = set()
    callers: dict[int, set[int]] = {}
    for number, function in enumerate(program.functions):
        for node in n.walk(*function.body):
            if isinstance(node, n.SetState):
                assigns.add(number)
            elif isinstance(node, n.Call):
                callers.setdefault(node.function, set()).add(number)
    pending = list(assigns)
    while pending:
        new = callers.get(pending.pop(), set()) - assigns
        assigns |= new
        pending += new
    return frozenset(assigns)


def changes_state(node: n.Node, writers: frozenset[int]) -> bool:
    """Whether running the node may change the state."""
    return any(
        isinstance(part, n.SetState) or (isinstance(part, n.Call) and part.function in writers) for part in n.walk(node)
    )
