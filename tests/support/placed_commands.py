"""The commands of a model in Promela by the place that a process must be at for them: only these are fired in a state.

A state of a random model has some hundred commands, of which some five are of the places that the processes are at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from asset.ir import nodes as n
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State

Place = tuple[int, int]
"""A cell and the value that it must have."""


class PlacedCommands:
    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.elsewhere: list[int] = []
        """The commands that are tried in every state."""
        self._of: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for command in range(interpreter.program.nr_commands):
            place = place_of(interpreter.program, command)
            if place is None:
                self.elsewhere.append(command)
            else:
                self._of[place[0]][place[1]].append(command)

    def successors(self, state: State) -> Iterator[State]:
        here = [command for cell, at in self._of.items() for command in at.get(state[cell], ())]
        for command in (*here, *self.elsewhere):
            successor = self.interpreter.fire(state, command)
            if successor is not None:
                yield successor


def place_of(program: Program, command: int) -> Place | None:
    """The first condition of the command, if it is one of the place of a process."""
    family, indices = program.commands[command]
    for statement in program.functions[family.function].body:
        match statement:
            case n.When(test=n.Binary(op=n.BinaryOp.EQ, left=n.Read() as read, right=n.Const(value=value))):
                variable = program.variables[read.variable]
                if variable.owner is None or variable.owner.local is not None:
                    return None
                (at,) = [_valued(index, indices) for index in read.indices] or [0]
                return program.offsets[read.variable] + at, value
            case n.Evaluate():  # the claim moves
                continue
        return None
    return None


def _valued(index: n.Expr, indices: tuple[int, ...]) -> int:
    match index:
        case n.Const(value=value):
            return value
        case n.Local(slot=slot):
            return indices[slot]
        case n.Binary(op=n.BinaryOp.SUB, left=left, right=n.Const(value=value)):
            return _valued(left, indices) - value
    raise AssertionError(index)
