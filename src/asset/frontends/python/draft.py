"""The program as far as it is made, and the functions that the compiler writes itself."""

from __future__ import annotations

from collections.abc import Callable

from asset.errors import Diagnostic
from asset.frontends.python.constants import Constants
from asset.frontends.python.definitions import Definitions
from asset.frontends.python.problems import Problems
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.model import Model, variables_of
from asset.span import NOWHERE, Span

Checkpoint = tuple[tuple[Diagnostic, ...], tuple[int, dict[tuple[object, ...], int]], tuple[str, ...]]


class ProgramDraft:
    """What all functions of a model share while they are compiled."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.variables = variables_of(model)
        self.definitions = Definitions()
        self.constants = Constants()
        self.problems = Problems()
        self.functions = FunctionTable()
        self.messages: list[str] = []
        """The texts that the property being compiled can return."""

    def checkpoint(self) -> Checkpoint:
        """What was made so far, to come back to."""
        return self.problems.all(), self.functions.state(), tuple(self.messages)

    def restore(self, checkpoint: Checkpoint) -> None:
        problems, functions, messages = checkpoint
        self.problems.keep(problems)
        self.functions.restore(functions)
        self.messages[:] = messages


class FunctionTable:
    """The program's functions by their numbers. Those that the compiler writes itself are made once each."""

    def __init__(self) -> None:
        self._functions: list[Function] = []
        self._written: dict[tuple[object, ...], int] = {}

    def __getitem__(self, number: int) -> Function:
        return self._functions[number]

    def all(self) -> tuple[Function, ...]:
        return tuple(self._functions)

    def state(self) -> tuple[int, dict[tuple[object, ...], int]]:
        return len(self._functions), dict(self._written)

    def restore(self, state: tuple[int, dict[tuple[object, ...], int]]) -> None:
        """Forgets the functions that were added since."""
        count, self._written = state
        del self._functions[count:]

    def add(self, function: Function) -> int:
        self._functions.append(function)
        return len(self._functions) - 1

    def replace(self, number: int, function: Function) -> None:
        self._functions[number] = function

    def position(self) -> int:
        """The function that gives the position that an index denotes in a tuple of a length, or less than 0."""
        return self._once(("position",), _position)

    def conversion(self, name: str, numbers: tuple[int, ...], at: Span) -> int:
        """The function that gives its argument back if it is one of the numbers; otherwise it is a model error.

        There is one for each place in the text, as a fault is at its place.
        """
        return self._once(("conversion", name, at), lambda: _conversion(name, numbers, at))

    def requirement(self, kind: FaultKind, message: str, at: Span) -> int:
        """The function that gives 1 if its argument is true; otherwise it is this model error, at this place."""
        return self._once(("requirement", message, at), lambda: _requirement(kind, message, at))

    def following(self, heap: int, words: tuple[str, str], at: Span) -> int:
        """The function that gives the index of an object in the heap, if it is there. What is said otherwise are the
        reference as it is written, and what cannot be done."""
        return self._once(("following", heap, words, at), lambda: _following(heap, words, at))

    def _once(self, key: tuple[object, ...], make: Callable[[], Function]) -> int:
        if key not in self._written:
            self._written[key] = self.add(make())
        return self._written[key]


def _position() -> Function:
    """`index`, or `index + length` if it is negative; -1 if it is beyond the end."""
    index, length, zero = n.Local(NOWHERE, 0), n.Local(NOWHERE, 1), n.Const(NOWHERE, 0)
    inside = n.Binary(NOWHERE, n.BinaryOp.LT, index, length)
    from_start = n.Conditional(NOWHERE, inside, index, n.Const(NOWHERE, -1))
    from_end = n.Binary(NOWHERE, n.BinaryOp.ADD, index, length)
    value = n.Conditional(NOWHERE, n.Binary(NOWHERE, n.BinaryOp.LT, index, zero), from_end, from_start)
    return Function("position", 2, ("index", "length"), (n.Return(NOWHERE, value),), NOWHERE)


def _conversion(name: str, numbers: tuple[int, ...], at: Span) -> Function:
    value = n.Local(at, 0)
    tests = tuple(n.Binary(at, n.BinaryOp.EQ, value, n.Const(at, number)) for number in numbers)
    fail = n.Fail(at, FaultKind.RAISE, ("ValueError: ", value, f" is not a valid {name}"))
    member = n.Case(at, n.Or(at, tests), (n.Return(at, value),))
    return Function(name, 1, ("number",), (n.If(at, (member,), (fail,)),), at)


def _requirement(kind: FaultKind, message: str, at: Span) -> Function:
    there = n.Case(at, n.Local(at, 0), (n.Return(at, n.Const(at, 1)),))
    return Function("requirement", 1, ("test",), (n.If(at, (there,), (n.Fail(at, kind, (message,)),)),), at)


def _following(heap: int, words: tuple[str, str], at: Span) -> Function:
    """The number of an object less 1; a model error if it is that of None, or if the object was freed."""
    number, (text, use) = n.Local(at, 0), words
    index = n.Binary(at, n.BinaryOp.SUB, number, n.Const(at, 1))
    none = n.Fail(at, FaultKind.RAISE, (f"AttributeError: {text} is None: {use}",))
    freed = n.Fail(at, FaultKind.RAISE, (f"Dangling: {text} was freed: {use}",))
    is_none = n.Case(at, n.Binary(at, n.BinaryOp.EQ, number, n.Const(at, 0)), (none,))
    is_freed = n.Case(at, n.Read(at, heap + 1, (index,)), (freed,))
    code = (n.If(at, (is_none, is_freed)), n.Return(at, index))
    return Function("follow", 1, ("reference",), code, at, "a reference is followed here, to whatever object")
