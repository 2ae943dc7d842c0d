"""The function that is being compiled, and what the parts of the compiler ask of each other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn, Protocol

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.python.definitions import FunctionDefinition
from asset.frontends.python.draft import ProgramDraft
from asset.frontends.python.expressions.constant_values import one_of
from asset.frontends.python.ir_expressions import NumberBounds, bounds_of
from asset.frontends.python.local_collections import LocalCollections
from asset.frontends.python.outlining import outlined
from asset.frontends.python.problems import Rejected
from asset.frontends.python.requests import Argument, FunctionSummary, Request, received
from asset.frontends.python.values import Poison, Scalar, SlotRef, Static, Value
from asset.ir import nodes as n
from asset.span import Span

Bindings = dict[str, Value]
"""What names denote."""

Block = Callable[[Sequence[ast.stmt]], None]
"""Compiles statements one after the other, up to one that is never passed."""


class Evaluation(Protocol):
    """What an expression denotes. `ExpressionCompiler` offers it to each part of the compiler."""

    def evaluate(self, node: ast.expr) -> Value:
        """What the expression denotes."""

    def evaluate_now(self, node: ast.expr) -> Value:
        """The same of an expression that is evaluated before anything else of its statement is done."""

    def number(self, value: Value, node: ast.expr) -> n.Expr:
        """The value as a number; rejects what is none."""

    def scalar(self, node: ast.expr) -> n.Expr:
        """The expression as a number."""

    def condition(self, node: ast.expr) -> n.Expr | bool:
        """The expression as a condition: True or False if that is known now."""

    def truth(self, value: Value, node: ast.expr) -> n.Expr | bool:
        """Whether Python takes the value for true."""


class Body:
    """The code of one function: what its names denote, its slots, and the statements made so far."""

    def __init__(
        self, draft: ProgramDraft, definition: FunctionDefinition, request: Request, collections: LocalCollections
    ) -> None:
        self.draft = draft
        self.definition = definition
        self.role = request.role
        self.cell = request.cell
        self.summary = FunctionSummary()
        self.slots: list[str] = []
        self.bounds: dict[int, NumberBounds] = {}
        """Of slots: the smallest and the largest number that they hold."""
        self.emitted: list[n.Stmt] = []
        self.bound: Bindings | None = {}
        """What names denote at this point of the code; None if the point is never reached."""
        self.aliases: set[str] = set()
        """The names that were bound to something else than a number."""
        self.depth = 0
        """In how many branches and loops this point is."""
        self.collections = collections
        self.has_acted = False
        """Whether the statement that is being compiled has called something that may change the state."""
        self.place = ""
        """Of the call, if the function is inlined."""
        self._named: dict[str, int] = {}
        for argument in request.arguments:
            self._bind_argument(argument)

    def _bind_argument(self, argument: Argument) -> None:
        """The parameter's numbers get the next slots; its name denotes what is known of it."""
        name, first = argument.name, len(self.slots)
        self.slots += [name if argument.passed == 1 else f"{name}.{k}" for k in range(argument.passed)]
        if isinstance(argument.value, SlotRef):
            self._named[name] = first
            if argument.bounds and not self.definition.stores[name]:
                self.bounds[first] = argument.bounds
        passed = [n.Local(self.definition.head, first + k) for k in range(argument.passed)]
        if argument.choices:
            found = one_of(name, argument.choices, passed[0])
            if found is None:
                message = f"the values of {name} are not alike"
                raise Rejected(Diagnostic(message, self.definition.head, "use tuples of one length"))
            self.names[name] = found
            return
        self.names[name] = received(argument.value, passed, self.draft.variables)

    # --- names and slots ------------------------------------------------------------------------------------------

    @property
    def names(self) -> Bindings:
        """What is bound here; code that cannot be reached is not compiled."""
        assert self.bound is not None
        return self.bound

    def slot_of(self, name: str) -> int:
        """The slot of the user's variable: one for all its assignments."""
        if name not in self._named:
            self._named[name] = self.new_slot(name)
        return self._named[name]

    def new_slot(self, name: str, bounds: NumberBounds | None = None) -> int:
        self.slots.append(name)
        slot = len(self.slots) - 1
        if bounds is not None:
            self.bounds[slot] = bounds
        return slot

    def is_stable(self, e: n.Expr) -> bool:
        """Whether the expression has the same value wherever it stands in the function."""
        return isinstance(e, n.Const) or (isinstance(e, n.Local) and not self.definition.stores[self.slots[e.slot]])

    def bounds_of(self, e: n.Expr) -> NumberBounds | None:
        """The smallest and the largest value of the expression, if something is known of them."""
        return bounds_of(e, self.bounds, self.draft.variables)

    # --- statements -----------------------------------------------------------------------------------------------

    def emit(self, statement: n.Stmt) -> None:
        self.emitted.append(statement)

    def collected(self, compile_part: Callable[[], None]) -> tuple[n.Stmt, ...]:
        """The statements that the part emits."""
        outer, self.emitted = self.emitted, []
        compile_part()
        inner, self.emitted = tuple(self.emitted), outer
        return inner

    def lazily(self, compile_part: Callable[[], n.Expr], span: Span) -> n.Expr:
        """An expression that may not be evaluated, or more than once: the statements that it needs go with it."""
        before, acted = len(self.slots), self.has_acted
        outer, self.emitted, self.has_acted = self.emitted, [], False
        try:
            value = compile_part()
            code = tuple(self.emitted)
        finally:
            self.emitted = outer
            self.has_acted = self.has_acted or acted
        if not code:
            return value
        function, given = outlined((*code, n.Return(span, value)), self.slots, before, span)
        return n.Call(span, self.draft.functions.add(function), tuple(n.Local(span, slot) for slot in given))

    def lazy_value(
        self, evaluate: Callable[[], Value], number: Callable[[Value, ast.expr], n.Expr], node: ast.expr
    ) -> Value:
        """The same of a value: it must be a number if it needs statements."""
        found: list[Value] = []

        def compiled() -> n.Expr:
            found.append(evaluate())
            return number(found[0], node) if self.emitted else n.Const(self.span(node), 0)

        expr = self.lazily(compiled, self.span(node))
        return Scalar(expr) if isinstance(expr, n.Call) else found[0]

    def apart(self, collections: LocalCollections) -> Body:
        """A body of the same function as far as it is compiled: what is compiled in it is only looked at."""
        other = Body(self.draft, self.definition, Request(self.definition.function, self.role), collections)
        other.slots, other.bounds, other.bound = list(self.slots), dict(self.bounds), self.bound
        return other

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is compiled meanwhile is only looked at: afterwards it was not compiled."""
        outside, acted, writes, emitted = dict(self.names), self.has_acted, self.summary.writes, self.emitted
        slots, self.emitted = len(self.slots), []
        try:
            yield
        finally:
            self.bound, self.has_acted, self.summary.writes, self.emitted = outside, acted, writes, emitted
            for slot in range(slots, len(self.slots)):
                self.bounds.pop(slot, None)
            del self.slots[slots:]

    def branch(
        self, compile_part: Callable[[], None], bound: Bindings | None
    ) -> tuple[tuple[n.Stmt, ...], Bindings | None]:
        """The statements of a part that may be skipped, compiled with these bindings; and the bindings at its end."""
        self.bound = None if bound is None else dict(bound)
        self.depth += 1
        statements = self.collected(compile_part)
        self.depth -= 1
        return statements, self.bound

    # --- constants ------------------------------------------------------------------------------------------------

    def known(self, value: object, node: ast.expr) -> Static:
        """An object that the text names, as it is now."""
        try:
            return self.draft.constants.known(value)
        except ModelRejected as error:
            (diagnostic,) = error.diagnostics
            raise Rejected(diagnostic if diagnostic.span else replace(diagnostic, span=self.span(node))) from None

    # --- errors ---------------------------------------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword) -> Span:
        return self.definition.span(node)

    def reject(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword, message: str, remedy: str = "") -> NoReturn:
        raise Rejected(Diagnostic(message, self.span(node), remedy))

    def fail(self, rejected: Rejected) -> None:
        """Records what is wrong; compiling goes on, so that all of it is reported at once."""
        self.draft.problems.record(rejected)
        self.summary.broken = True

    def poison(self, names: Iterable[str]) -> None:
        """After a rejected statement its names denote nothing that could be a second error."""
        for name in names:
            self.names[name] = Poison()


def joined(ends: Iterable[Bindings | None]) -> Bindings | None:
    """What is bound alike at all the ends that are reached; None if none is."""
    reached = [end for end in ends if end is not None]
    if not reached:
        return None
    first, *others = reached
    alike = {name: value for name, value in first.items() if all(o.get(name) == value for o in others)}
    return alike | {name: value for end in reached for name, value in end.items() if value == Poison()}
