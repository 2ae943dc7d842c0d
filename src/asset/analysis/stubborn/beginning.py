"""How runs begin, if that is unlike everything that follows: a command that sets the scene, chosen out of many.

If a cell has a value in the states that runs begin in that no command ever assigns to it, and every command that is
enabled there tests before anything else that it has this value, and changes it, then no run comes back to these states,
and these commands are fired as *first* ones only. What they do is found by firing them, however complicated their code
is. All other states are reachable from those *after* them, and rules can be derived for these. In the states that runs
begin in, a set of all first commands is one of all enabled commands, so that it has D1 and D2 whatever the rules of
others are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asset.analysis.stubborn.entering import Entry
from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate

MOST_FIRINGS = 10_000
"""Commands that are tried in the states that runs begin in."""

MOST_AFTER = 10_000
"""States after the first commands."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first commands, and the states after them."""

    first: frozenset[int] = frozenset()
    after: tuple[State, ...] = ()


def find_beginning(
    program: Program, starts: Sequence[State], known: Sequence[Entry | None], invariants: Sequence[Predicate]
) -> Beginning | None:
    """None if runs do not begin in a way of their own, or with something wrong, which ends them."""
    left = list(_left_for_ever(program, starts))
    if not left or _is_wrong(program, starts, invariants):
        return None
    tried = [(state, command) for state in starts for command in _entered(state, known)]
    if len(tried) > MOST_FIRINGS:
        return None
    interpreter = Interpreter(program)
    first, after = set[int](), dict[State, None]()
    for state, command in tried:
        try:
            target = interpreter.fire(state, command)
        except Fault:
            return None
        if target is not None:
            left = [cell for cell in left if target[cell] != state[cell] and cell in (known[command] or ())]
            first.add(command)
            after[target] = None
        if not left or len(after) > MOST_AFTER:
            return None
    return Beginning(frozenset(first), tuple(after)) if first else None


def _left_for_ever(program: Program, starts: Sequence[State]) -> Iterator[int]:
    """The cells that are only assigned constants, none of which they have in one of the states."""
    assignments = [node for function in program.functions for node in function.nodes if isinstance(node, n.SetState)]
    constant = {node.variable for node in assignments} - {
        node.variable for node in assignments if not isinstance(node.value, n.Const)
    }
    assigned = {(node.variable, node.value.value) for node in assignments if isinstance(node.value, n.Const)}
    for variable in sorted(constant):
        first = program.offsets[variable]
        for cell in range(first, first + program.variables[variable].cells):
            if all((variable, state[cell]) not in assigned for state in starts):
                yield cell


def _entered(state: State, known: Sequence[Entry | None]) -> Iterator[int]:
    for command, entry in enumerate(known):
        if entry is not None and all(state[cell] == value for cell, value in entry.items()):
            yield command


def _is_wrong(program: Program, starts: Sequence[State], invariants: Sequence[Predicate]) -> bool:
    """Whether an invariant is violated in one of the states, or has a model error there."""
    interpreter = Interpreter(program)
    try:
        return any(interpreter.evaluate(each, state) is not None for each in invariants for state in starts)
    except Fault:
        return True
