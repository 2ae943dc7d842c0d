"""Which functions may change the state, and which cells code may read and assign to."""

from __future__ import annotations

from asset.ir import nodes as n
from asset.ir.program import Program


def state_writers(program: Program) -> frozenset[int]:
    """The functions that assign to a state variable, or call one that does."""
    assigns: set[int] = set()
    callers: dict[int, set[int]] = {}
    for number, function in enumerate(program.functions):
        for node in function.nodes:
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


def touched_cells(program: Program, function: int) -> tuple[frozenset[int], frozenset[int]]:
    """All cells of the variables that the function reads, and of those that it assigns to, in what it calls too."""
    called, pending = {function}, [function]
    reads: set[int] = set()
    writes: set[int] = set()
    while pending:
        for part in program.functions[pending.pop()].nodes:
            if isinstance(part, n.Read | n.SetState):
                first = program.offsets[part.variable]
                cells = range(first, first + program.variables[part.variable].cells)
                (reads if isinstance(part, n.Read) else writes).update(cells)
            elif isinstance(part, n.Call) and part.function not in called:
                called.add(part.function)
                pending.append(part.function)
    return frozenset(reads), frozenset(writes)


def changes_state(node: n.Node, writers: frozenset[int]) -> bool:
    """Whether running the node may change the state."""
    return any(
        isinstance(part, n.SetState) or (isinstance(part, n.Call) and part.function in writers) for part in n.walk(node)
    )


def indexing_slots(program: Program) -> frozenset[int]:
    """The slots that are an index of a cell, in whatever function."""
    nodes = (node for function in program.functions for node in function.nodes)
    indices = (node.indices for node in nodes if isinstance(node, n.Read | n.SetState))
    return frozenset(index.slot for given in indices for index in given if isinstance(index, n.Local))
