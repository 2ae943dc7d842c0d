"""while and for, break and continue."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from asset.frontends.python.body import Bindings, Block, Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.problems import Rejected
from asset.frontends.python.statements.assignments import Assignments
from asset.frontends.python.traversals import Traversal
from asset.frontends.python.values import Compound, Poison, SlotRef
from asset.ir import nodes as n
from asset.model.syntax_trees import stored_names


class LoopStatements:
    def __init__(self, body: Body, expressions: ExpressionCompiler, assignments: Assignments, block: Block) -> None:
        self._body = body
        self._expressions = expressions
        self._holding = expressions.holding
        self._iterables = expressions.iterables
        self._store_element = assignments.store_element
        self._block = block
        self._leaving: list[list[Bindings]] = []
        """For each loop around this point: what is bound when `break` or `continue` leaves a round."""

    def while_(self, node: ast.While) -> None:
        self._reject_else(node)
        self._forget_rebound([*node.body, node.test])
        test = self._expressions.attempt_lazily(node.test)
        if test is False:
            return
        code = self._loop_body(node, None)
        condition = n.Const(self._body.span(node.test), 1) if isinstance(test, bool) else test
        self._body.emit(n.While(self._body.span(node), condition, code))
        if test is True and not _breaks(node.body):
            self._body.bound = None

    def for_(self, node: ast.For) -> None:
        self._reject_else(node)
        try:
            with self._holding.mode(holds_rows=True):  # the body may assign what the row's indices are made of
                traversal = self._iterables.traversal(node.iter)
        except Rejected as rejected:
            self._body.fail(rejected)
            self._unknown_elements(node)
            return
        self._forget_rebound([*node.body, node.target])
        slot = self._target_slot(node, traversal)
        length = self._fixed_length(traversal)
        if not traversal.has_order:
            what = "Python does not say in which order the elements of a set come"
            self._body.draft.problems.add(what, self._body.span(node.iter), "use sorted(...)")
        begin = lambda: self._begin_round(node.target, traversal, slot)  # noqa: E731
        code = self._loop_body(node, traversal.most_rounds, begin)
        if traversal.test is not None:
            span = self._body.span(node.target)
            code = (n.If(span, (n.Case(span, traversal.test(n.Local(span, slot)), code),)),)
        if length is not None and traversal.guards is not None and _changes(code):
            unchanged, held, span = traversal.guards, length, self._body.span(node.iter)
            code = (*self._body.collected(lambda: unchanged(held, span)), *code)
        stop = traversal.stop if length is None else length
        self._body.emit(n.For(self._body.span(node), slot, traversal.start, stop, traversal.step, code))

    def leave_round(self, node: ast.Break | ast.Continue) -> None:
        self._leaving[-1].append(self._body.names)
        self._body.bound = None
        self._body.emit((n.Break if isinstance(node, ast.Break) else n.Continue)(self._body.span(node)))

    def _reject_else(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            what = "else after a loop is not part of the language"
            self._body.reject(node.orelse[0], what, "use a flag, or return")

    # --- the elements ---------------------------------------------------------------------------------------------

    def _unknown_elements(self, node: ast.For) -> None:
        """Compiles the body, only to find what is wrong in it: what it iterates over was rejected."""
        before = self._body.names | {name: Poison() for name in stored_names([node.target])}
        self._leaving.append([])
        self._body.branch(lambda: self._block(node.body), before)
        self._leaving.pop()
        self._body.bound = before

    def _fixed_length(self, traversal: Traversal) -> n.Expr | None:
        """The number of elements when the iteration begins, if it may change."""
        return None if traversal.guards is None else self._holding.number(traversal.stop, traversal.name)

    def _target_slot(self, node: ast.For, traversal: Traversal) -> int:
        """The slot of the counter; if the counter is the element, that of the loop's variable."""
        if not traversal.counts or not isinstance(node.target, ast.Name):
            return self._iterables.counter(traversal)
        slot = self._body.slot_of(node.target.id)
        if traversal.bounds is not None and self._body.definition.stores[node.target.id] == 1:
            self._body.bounds[slot] = traversal.bounds
        return slot

    def _begin_round(self, target: ast.expr, traversal: Traversal, slot: int) -> None:
        if isinstance(target, ast.Name) and traversal.counts:
            self._body.names[target.id] = SlotRef(slot)
            return
        try:
            self._store_element(target, traversal.element(n.Local(self._body.span(target), slot)))
        except Rejected as rejected:
            self._body.fail(rejected)
            self._body.poison(stored_names([target]))

    # --- the body -------------------------------------------------------------------------------------------------

    def _forget_rebound(self, parts: Sequence[ast.AST]) -> None:
        """At the head of a loop, a name that the loop binds is the same in all rounds only if it is a number."""
        for name in stored_names(parts):
            value = self._body.names.get(name)
            has_slots = isinstance(value, Compound) and value.is_variable
            if not isinstance(value, SlotRef | Poison | None) and not has_slots:
                del self._body.names[name]

    def _loop_body(
        self, node: ast.While | ast.For, rounds: int | None, begin_round: Callable[[], None] | None = None
    ) -> tuple[n.Stmt, ...]:
        """The body; afterwards what is bound is what was bound before the loop, as it may not run at all."""

        def compile_round() -> None:
            if begin_round is not None:
                begin_round()
            self._block(node.body)

        before, collections = dict(self._body.names), self._body.collections
        self._leaving.append([])
        traversed = node.iter.id if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) else ""
        collections.enter(node, rounds)
        collections.traversed.append(traversed)
        code, end = self._body.branch(compile_round, before)
        collections.traversed.pop()
        collections.leave()
        ends = [end for end in (*self._leaving.pop(), end) if end is not None]
        for name, value in before.items():
            if any(end.get(name) not in (value, Poison()) for end in ends):
                before[name] = Poison()
                self._report_rebound(name, node.body[0])
        self._body.bound = before
        return code

    def _report_rebound(self, name: str, at: ast.stmt) -> None:
        message = f"'{name}' is a number before this loop, and something else after a round of it"
        self._body.draft.problems.add(message, self._body.span(at), "use another name")
        self._body.summary.broken = True


def _changes(code: Sequence[n.Stmt]) -> bool:
    """Whether the statements may change the state."""
    return any(isinstance(node, n.SetState | n.Call) for node in n.walk(*code))


def _breaks(statements: Sequence[ast.stmt]) -> bool:
    """Whether a `break` leaves the loop with this body."""
    for statement in statements:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.For | ast.While):
            continue
        inner = [getattr(statement, part, []) for part in ("body", "orelse")]
        inner += [case.body for case in getattr(statement, "cases", [])]
        if any(_breaks(part) for part in inner):
            return True
    return False
