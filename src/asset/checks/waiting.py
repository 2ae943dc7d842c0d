"""Why nothing moves: what each process waits for where a run stops, or while it repeats itself.

A process *waits* at a command if all that keeps the command from firing is up to others. If a condition on the process'
own variables fails, the process is somewhere else in its code, and the command says nothing about it. This is for
showing runs only: nothing that is decided relies on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from asset.analysis.processes.ownership import Processes
from asset.checks.parts_shown import parts_shown
from asset.checks.rendering import scalar
from asset.checks.why import Explaining, tests_above, text_of
from asset.engine.outcome import Path
from asset.ir import nodes as n
from asset.ir.evaluation import CommandDisabled, Completion
from asset.ir.faults import Fault
from asset.ir.interpreter import IntegerFrame
from asset.ir.program import Program, State, Style
from asset.span import Span
from asset.verdict import Stillness, Value, Waiting

MOST_COMMANDS = 5_000
"""Of larger models nothing is said: each command is run by the interpreter."""

_MOST_CELLS = 4


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of a guard that is false in a state, and the cells that it looked at."""

    text: str
    span: Span
    cells: frozenset[int]


class Waits:
    """What the processes of a model wait for in the states of a run."""

    def __init__(self, program: Program, processes: Processes, path: Path) -> None:
        self._program = program
        self._processes = processes
        self._path = path

    def at_the_end(self) -> Stillness:
        """Of a run that ends in a terminal state."""
        return self._still(self._processes.names, len(self._path) - 1)

    def in_the_cycle(self, start: int) -> Stillness:
        """Of those that take no step in the cycle, which begins at step `start`."""
        moving = {self._processes.of_command[c] for c, _ in self._path[start + 1 :] if c is not None}
        still = [name for name in self._processes.names if name not in moving]
        chances = {name: self._chance(name, start) for name in still}
        passed_over = tuple(each for each in chances.values() if each is not None)
        waits = self._still([name for name in still if chances[name] is None], start)
        return Stillness((*passed_over, *waits.waiting), waits.circle, waits.finished)

    def of_command(self, command: int, at: int) -> Waiting | None:
        """Why the command is disabled in the state of that step; None if it is not, or if that cannot be seen."""
        conditions = self._conditions(command, at)
        return self._waiting(command, conditions, at) if conditions else None

    # --- processes ------------------------------------------------------------------------------------------------

    def _still(self, names: Iterable[str], at: int) -> Stillness:
        if self._program.nr_commands > MOST_COMMANDS or not self._program.functions:
            return Stillness()
        found = {name: list(self._of_process(name, at)) for name in names}
        waiting = tuple(each for those in found.values() for each in those)
        finished = tuple(name for name, those in found.items() if not those)
        return Stillness(waiting, _circle({name: _others(those) for name, those in found.items()}), finished)

    def _of_process(self, name: str, at: int) -> Iterator[Waiting]:
        """Where it waits; choices of the same step that wait for the same are one."""
        seen: set[tuple[Span, str]] = set()
        for command in self._commands(name):
            conditions = self._conditions(command, at)
            if not conditions or not all(self._up_to_others(each, name) for each in conditions):
                continue
            waiting = self._waiting(command, conditions, at)
            if (key := (waiting.span, waiting.condition)) not in seen:
                seen.add(key)
                yield waiting

    def _up_to_others(self, condition: Condition, name: str) -> bool:
        return any(
            not self._is_own(cell, name)
            and not self._program.cell_variables[cell].name.startswith("_")  # the language's own, as `_nr_pr`
            for cell in condition.cells
        )

    def _is_own(self, cell: int, name: str) -> bool:
        return self._processes.private[cell] and self._processes.of_cell[cell] == name

    def _commands(self, name: str) -> Iterator[int]:
        return (command for command, owner in enumerate(self._processes.of_command) if owner == name)

    def _chance(self, name: str, start: int) -> Waiting | None:
        """A command of the process that is enabled somewhere in the cycle."""
        if self._program.nr_commands > MOST_COMMANDS or not self._program.functions:
            return None
        for at in range(start, len(self._path) - 1):
            for command in self._commands(name):
                if _blocked(self._program, self._path[at][1], command).enabled:
                    family = self._program.commands[command][0]
                    return Waiting(name, self._program.command_name(command), family.span)
        return None

    # --- conditions -----------------------------------------------------------------------------------------------

    def _conditions(self, command: int, at: int) -> tuple[Condition, ...]:
        return _blocked(self._program, self._path[at][1], command).conditions

    def _waiting(self, command: int, conditions: tuple[Condition, ...], at: int) -> Waiting:
        name = self._processes.of_command[command]
        cells = sorted(cell for cell in frozenset().union(*(c.cells for c in conditions)))
        foreign = [cell for cell in cells if not self._is_own(cell, name)] or cells
        shown = [(*self._shown(cell, at), self._since(cell, at)) for cell in foreign[:_MOST_CELLS]]
        on = dict.fromkeys(other for cell in foreign if (other := self._responsible(cell, at)) not in (None, name))
        return Waiting(
            process=name,
            transition=self._program.command_name(command),
            span=conditions[0].span,
            condition=" and ".join(dict.fromkeys(each.text for each in conditions)),
            cells=tuple(shown),
            on=tuple(other for other in on if other is not None),
        )

    def _shown(self, cell: int, at: int) -> tuple[str, Value]:
        """The cell by name and its value; of a program counter, the process and where it is."""
        ((text, value),) = parts_shown(self._program, self._path[at][1], [cell]).items()
        if _is_counter(self._program, cell) and (process := self._processes.of_cell[cell]) is not None:
            return process, f"at {value}"
        return text, value

    def _since(self, cell: int, at: int) -> int:
        """The step that gave the cell the value that it has; 0 if it has it from the start."""
        value = self._path[at][1][cell]
        while at > 0 and self._path[at - 1][1][cell] == value:
            at -= 1
        return at

    def _responsible(self, cell: int, at: int) -> str | None:
        """Whose the cell is or, if others assign it too, who gave it its value."""
        if self._processes.private[cell]:
            return self._processes.of_cell[cell]
        command = self._path[self._since(cell, at)][0]
        return None if command is None else self._processes.of_command[command]


@dataclass(frozen=True, slots=True)
class _Blocked:
    """Whether a command is enabled and, if not, the conditions that are false, as far as they can be seen."""

    enabled: bool
    conditions: tuple[Condition, ...] = ()


def _blocked(program: Program, state: State, command: int) -> _Blocked:
    return _Firing(program, state).blocked(command)


class _Firing(Explaining):
    """Fires a command, and remembers the guard that was false."""

    def __init__(self, program: Program, state: State) -> None:
        super().__init__(program, state)
        self._guard: tuple[n.Expr, IntegerFrame] | None = None
        self._calls: list[int] = []  # the functions that run now, innermost last

    def blocked(self, command: int) -> _Blocked:
        try:
            if self.fire(self._state, command) is not None:
                return _Blocked(enabled=True)
        except Fault:
            return _Blocked(enabled=True)
        return _Blocked(False, tuple(self._false_parts(command)))

    def _false_parts(self, command: int) -> Iterator[Condition]:
        if self._guard is None:
            yield from self._returned_false(command)
            return
        test, frame = self._guard
        names = dict(zip(self.program.functions[self._calls[-1]].slots, frame.locals, strict=True))
        parts = list(self.deciding(test, frame, False)) if isinstance(test, n.And) else [test]
        for part in parts or [test]:
            cells = self._cells_of(part, frame)
            yield Condition(self._place(part, cells) or _with_values(text_of(part.span), names), part.span, cells)

    def _place(self, part: n.Expr, cells: frozenset[int]) -> str:
        """If the condition is that a process is at a certain place: that place."""
        if not (isinstance(part, n.Binary) and isinstance(part.right, n.Const) and len(cells) == 1):
            return ""
        (cell,) = cells
        if not _is_counter(self.program, cell):
            return ""
        return f"to be at {scalar(self.program.cell_variables[cell].type, part.right.value)}"

    def _returned_false(self, command: int) -> Iterator[Condition]:
        """Of a transition that says by what it returns whether it fires."""
        family, _ = self.program.commands[command]
        returned = self._last
        if family.style is not Style.FIRE or returned is None:
            return
        tests = list(tests_above(self.program.functions[family.function].body, returned.statement))
        for test in tests[-1:]:
            text = f"not ({text_of(test.span)})"
            yield Condition(text, test.span, self._cells_of(test, returned.frame))

    def _cells_of(self, part: n.Expr, frame: IntegerFrame) -> frozenset[int]:
        self._reads.clear()
        with suppress(Fault):
            self._value(part, frame)
        return frozenset(self._reads)

    def _when(self, s: n.When, frame: IntegerFrame) -> Completion:
        try:
            return super()._when(s, frame)
        except CommandDisabled:
            self._guard = s.test, frame
            raise

    def _completed(self, function: int, frame: IntegerFrame) -> int:
        self._calls.append(function)
        result = super()._completed(function, frame)
        self._calls.pop()  # not if a guard was false: then the last one is where it stands
        return result


def _is_counter(program: Program, cell: int) -> bool:
    owner = program.cell_variables[cell].owner
    return owner is not None and owner.local is None


def _others(waiting: Iterable[Waiting]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for each in waiting for other in each.on))


def _circle(waits_for: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """A shortest circle of processes that wait for each other; empty if there is none."""
    circles = (_way_back(name, waits_for) for name in waits_for)
    return min((circle for circle in circles if circle), key=len, default=())


def _way_back(name: str, waits_for: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The shortest way along the waits from the process to itself, breadth-first."""
    ways: list[tuple[str, ...]] = [(name,)]
    seen: set[str] = set()
    for way in ways:
        for other in waits_for.get(way[-1], ()):
            if other == name:
                return way
            if other not in seen:
                seen.add(other)
                ways.append((*way, other))
    return ()


def _with_values(text: str, names: Mapping[str, int]) -> str:
    """The text of a condition as the process sees it: `self.wants[1 - i]` is `wants[1]` if `i` is 0. Text that is not
    Python stays as it is."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    return ast.unparse(_Specialised(names).visit(tree))


class _Specialised(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Only indices get their values: elsewhere the name says more than the number."""
        node.value = self.visit(node.value)
        node.slice = self.visit(_Indices(self._names).visit(node.slice))
        return node


class _Indices(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._names[node.id]) if node.id in self._names else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            with suppress(ArithmeticError, TypeError, ValueError):
                return ast.Constant(_computed(node.op, node.left.value, node.right.value))
        return node


def _computed(op: ast.operator, left: object, right: object) -> int:
    if not isinstance(left, int) or not isinstance(right, int):
        raise TypeError
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Mod():
            return left % right
        case ast.FloorDiv():
            return left // right
        case _:
            raise TypeError
