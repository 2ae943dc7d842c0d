"""Which functions may change the state, and which cells code may read and assign to."""

from __future__ import annotations

from collections.abc import Sequence

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


def assigned_variables(program: Program) -> list[frozenset[int]]:
    """By function, the variables that it assigns to, in what it calls too; calls never lead back."""
    found: dict[int, frozenset[int]] = {}

    def of(number: int) -> frozenset[int]:
        if number not in found:
            nodes = program.functions[number].nodes
            own = frozenset(node.variable for node in nodes if isinstance(node, n.SetState))
            found[number] = own.union(*(of(node.function) for node in nodes if isinstance(node, n.Call)))
        return found[number]

    return [of(number) for number in range(len(program.functions))]


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
    parts = (part for given in indices for index in given for part in n.walk(index))
    return frozenset(part.slot for part in parts if isinstance(part, n.Local))


def selecting_assignments(loop: n.While, slot: int) -> frozenset[int]:
    """The assignments of constants to the local that a round of the loop ends with, by identity."""
    found: set[int] = set()
    pending: list[Sequence[n.Stmt]] = [loop.body]
    while pending:
        match pending.pop()[-1:]:
            case (n.SetLocal(slot=assigned, value=n.Const()) as last,) if assigned == slot:
                found.add(id(last))
            case (n.If(cases=cases, orelse=orelse),):
                pending += [*(case.body for case in cases), orelse]
    return frozenset(found)
