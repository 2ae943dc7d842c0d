"""while and for, break and continue, and else after a loop."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import getattr_static
from math import prod

from asset.frontends.python.body import Bindings, Block, Body, joined
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.local_shapes import holds_place
from asset.frontends.python.problems import Rejected
from asset.frontends.python.statements.any_order import AnyOrder
from asset.frontends.python.statements.assignments import Assignments
from asset.frontends.python.traversals import NO_ORDER, Traversal
from asset.frontends.python.values import Compound, InSlots, Itself, Poison, SlotRef, Value
from asset.ir import nodes as n
from asset.model import Record
from asset.model.syntax_trees import stored_names

FOLDED = ("abs", "all", "any", "bool", "int", "len", "max", "min", "range", "sorted", "sum")
"""Functions of Python that read nothing but their arguments."""


@dataclass
class _Loop:
    """A loop around this point: what is bound when a round is left, and what is set if it is left by `break`."""

    broken: int | None
    rounds: list[Bindings] = field(default_factory=list)
    breaks: list[Bindings] = field(default_factory=list)
    ends: list[Bindings] = field(default_factory=list)
    """What is bound at the ends of a round, in whatever way it ends."""


class LoopStatements:
    def __init__(self, body: Body, expressions: ExpressionCompiler, assignments: Assignments, block: Block) -> None:
        self._body = body
        self._expressions = expressions
        self._holding = expressions.holding
        self._iterables = expressions.iterables
        self._store_element = assignments.store_element
        self._block = block
        self._loops: list[_Loop] = []

    def while_(self, node: ast.While) -> None:
        self._forget_rebound([*node.body, node.test])
        test = self._expressions.attempt_lazily(node.test)
        if test is False:
            self._block(node.orelse)
            return
        loop, code = self._loop_body(node, None)
        condition = n.Const(self._body.span(node.test), 1) if isinstance(test, bool) else test
        self._give_values(node, loop)
        self._body.emit(n.While(self._body.span(node), condition, code))
        if test is True and not _breaks(node.body):
            self._body.bound = None
        elif node.orelse:
            self._otherwise(node, loop, ends=test is not True)

    # --- what loops in any order are made of (`any_order.Known`) -----------------------------------------------------

    def variable(self, node: ast.expr) -> str | None:
        """The state variable that `self.name` is; None if the expression is none."""
        if not isinstance(node, ast.Attribute) or not self._is_model(node.value):
            return None
        return node.attr if node.attr in self._body.draft.model._variables else None

    def is_plain(self, node: ast.Attribute) -> bool:
        """Whether it is a state variable, a parameter or a constant of the model, or a part of a value."""
        if not self._is_model(node.value):
            return not isinstance(node.value, ast.Call)
        model = self._body.draft.model
        member = getattr_static(type(model), node.attr, None)
        return node.attr in model._variables or node.attr in model.parameters or not hasattr(type(member), "__get__")

    def is_value(self, name: str) -> bool:
        """Whether the name denotes no part of the state that may change."""
        value = self._body.names.get(name)
        return value is None or not holds_place(value)

    def is_pure(self, name: str) -> bool:
        """Whether to call what has the name changes nothing, and reads nothing but its arguments."""
        known = self._body.definition.function.__globals__.get(name)
        is_record = isinstance(known, type) and issubclass(known, Record)
        return is_record or (name in FOLDED and known is None and name not in self._body.names)

    def _is_model(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and isinstance(self._body.names.get(node.id), Itself)

    def for_(self, node: ast.For) -> None:
        try:
            with self._holding.mode(holds_rows=True):  # the body may assign what the row's indices are made of
                traversal = self._iterables.of_loop(node.iter)
        except Rejected as rejected:
            self._body.fail(rejected)
            self._unknown_elements(node)
            return
        self._forget_rebound([*node.body, node.target])
        slot = self._target_slot(node, traversal)
        length = self._fixed_length(traversal)
        if not traversal.has_order and not AnyOrder(node, self._body.definition.node, self).does_not_matter():
            self._body.draft.problems.add(NO_ORDER, self._body.span(node.iter), "use sorted(...)")
        begin = lambda: self._begin_round(node, traversal, slot)  # noqa: E731
        loop, code = self._loop_body(node, traversal.most_rounds, begin)
        if traversal.test is not None:
            span = self._body.span(node.target)
            code = (n.If(span, (n.Case(span, traversal.test(n.Local(span, slot)), code),)),)
        if self._changes_what_comes(node, code):
            what = "Python looks at these elements when their turn comes, and the loop may have changed them"
            self._body.draft.problems.add(what, self._body.span(node.iter), "iterate over a list of them, [*...]")
        if length is not None and traversal.guards is not None and _changes(code):
            unchanged, held, span = traversal.guards, length, self._body.span(node.iter)
            code = (*self._body.collected(lambda: unchanged(held, span)), *code)
        stop = traversal.stop if length is None else length
        self._give_values(node, loop)
        surely = self._surely_bound(node, traversal, loop)
        self._body.emit(n.For(self._body.span(node), slot, traversal.start, stop, traversal.step, code))
        self._body.names.update(surely)
        if node.orelse:
            self._otherwise(node, loop)

    def _changes_what_comes(self, node: ast.For, code: Sequence[n.Stmt]) -> bool:
        """Whether a round may change elements that a list has had from before the first round, and Python has not."""
        early = self._iterables.lazy.looked_at_early(node.iter)
        if early is not None:
            return not early.isdisjoint(self._assigned(code))
        return bool(self._assigned(code)) or _stores_what_is_read(node)

    def _assigned(self, code: Sequence[n.Stmt]) -> set[int]:
        """The state variables that the statements may assign."""
        nodes = list(n.walk(*code))
        functions = {node.function for node in nodes if isinstance(node, n.Call)}
        called = (self._assigned(self._body.draft.functions[function].body) for function in functions)
        return {node.variable for node in nodes if isinstance(node, n.SetState)}.union(*called)

    def leave_round(self, node: ast.Break | ast.Continue) -> None:
        loop, span, is_break = self._loops[-1], self._body.span(node), isinstance(node, ast.Break)
        loop.rounds.append(self._body.names)
        if is_break and loop.broken is not None:
            loop.breaks.append(self._body.names)
            self._body.emit(n.SetLocal(span, loop.broken, n.Const(span, 1)))
        self._body.bound = None
        self._body.emit(n.Break(span) if is_break else n.Continue(span))

    def _give_values(self, node: ast.While | ast.For, loop: _Loop) -> None:
        """What a `break` leaves with a value and the end of the loop does not: some value, which nothing reads."""
        before, stored = self._body.names, stored_names(node.body)
        if isinstance(node, ast.For) and self._is_kept(node):
            stored += stored_names([node.target])
        for name, value in {k: v for names in loop.breaks for k, v in names.items() if k not in before}.items():
            if name in stored:
                self._give_value(value, node)

    def _give_value(self, value: Value, node: ast.While | ast.For) -> None:
        span = self._body.span(node)
        for slot in _slots(value):
            self._body.emit(n.SetLocal(span, slot, n.Const(span, 0)))

    def _surely_bound(self, node: ast.For, traversal: Traversal, loop: _Loop) -> Bindings:
        """The names of numbers that each round binds, if there certainly is one, and that are read after the loop."""
        if not traversal.length or traversal.guards is not None or not loop.ends:
            return {}
        surely: Bindings = {}
        for name in self._read_outside(node, stored_names([node.target, *node.body])):
            value = loop.ends[0].get(name)
            if isinstance(value, SlotRef) and name not in self._body.names and _agree(name, loop.ends):
                surely[name] = value
                self._give_value(value, node)
        return surely

    def _read_outside(self, node: ast.For, names: Iterable[str]) -> list[str]:
        """Those of the names that are read outside of the rounds."""
        rounds = {id(part) for each in node.body for part in ast.walk(each)}
        read = {
            part.id
            for part in ast.walk(self._body.definition.node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in rounds
        }
        return [name for name in names if name in read]

    def _is_kept(self, node: ast.For) -> bool:
        """Whether an element is read after its round: it is in a variable of its own then."""
        return bool(self._read_outside(node, stored_names([node.target])))

    def _otherwise(self, node: ast.While | ast.For, loop: _Loop, ends: bool = True) -> None:
        """`else` after a loop, which is run if no `break` has left it; only a loop that ends comes to it."""
        assert loop.broken is not None
        span, before = self._body.span(node), self._body.names
        code, after = self._body.branch(lambda: self._block(node.orelse), before)
        left = n.Binary(span, n.BinaryOp.EQ, n.Local(span, loop.broken), n.Const(span, 0))
        if ends:
            self._body.emit(n.If(span, (n.Case(span, left, code),)))
        dropped = [node.target] if isinstance(node, ast.For) and not self._is_kept(node) else []
        target = stored_names(dropped)
        kept = [_variables(names, before, target) for names in loop.breaks]
        self._body.bound = joined([*kept, after if ends else None])

    # --- the elements ---------------------------------------------------------------------------------------------

    def _unknown_elements(self, node: ast.For) -> None:
        """Compiles the body, only to find what is wrong in it: what it iterates over was rejected."""
        before = self._body.names | {name: Poison() for name in stored_names([node.target])}
        self._loops.append(_Loop(None))
        self._body.branch(lambda: self._block(node.body), before)
        self._loops.pop()
        self._body.bound = before

    def _fixed_length(self, traversal: Traversal) -> n.Expr | None:
        """The number of elements when the iteration begins, if it may change."""
        return None if traversal.guards is None else self._holding.number(traversal.stop, traversal.name)

    def _target_slot(self, node: ast.For, traversal: Traversal) -> int:
        """The slot of the counter; if the counter is the element, that of the loop's variable."""
        if not traversal.counts or not isinstance(node.target, ast.Name) or self._is_kept(node):
            return self._iterables.counter(traversal)
        slot = self._body.slot_of(node.target.id)
        if traversal.bounds is not None and self._body.definition.stores[node.target.id] == 1:
            self._body.bounds[slot] = traversal.bounds
        return slot

    def _begin_round(self, node: ast.For, traversal: Traversal, slot: int) -> None:
        target = node.target
        if isinstance(target, ast.Name) and traversal.counts and not self._is_kept(node):
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
    ) -> tuple[_Loop, tuple[n.Stmt, ...]]:
        """The body; afterwards what is bound is what was bound before the loop, as it may not run at all."""

        def compile_round() -> None:
            if begin_round is not None:
                begin_round()
            self._block(node.body)

        before, collections = dict(self._body.names), self._body.collections
        self._loops.append(_Loop(self._flag(node) if node.orelse else None))
        collections.enter(node, rounds)
        around = dict(collections.traversed)
        if isinstance(node, ast.For):
            collections.traverse(self._iterables.lazy.names(node.iter))
        code, end = self._body.branch(compile_round, before)
        collections.traversed = around
        collections.leave()
        loop = self._loops.pop()
        loop.ends = [end for end in (*loop.rounds, end) if end is not None]
        for name, value in before.items():
            if any(end.get(name) not in (value, Poison()) for end in loop.ends):
                before[name] = Poison()
                self._report_rebound(name, node.body[0])
        self._body.bound = before
        return loop, code

    def _flag(self, node: ast.While | ast.For) -> int:
        """Set if a `break` leaves the loop."""
        span, slot = self._body.span(node), self._body.new_slot("broken", (0, 1))
        self._body.emit(n.SetLocal(span, slot, n.Const(span, 0)))
        return slot

    def _report_rebound(self, name: str, at: ast.stmt) -> None:
        message = f"'{name}' is a number before this loop, and something else after a round of it"
        self._body.draft.problems.add(message, self._body.span(at), "use another name")
        self._body.summary.broken = True


def _variables(names: Bindings, before: Bindings, target: Container[str]) -> Bindings:
    """Of what is bound where a loop is left: what was so before it, and what is in local variables of its own."""
    return {
        name: value
        for name, value in names.items()
        if before.get(name) == value
        or (name not in target and (isinstance(value, SlotRef) or (isinstance(value, Compound) and value.is_variable)))
    }


def _agree(name: str, ends: Sequence[Bindings]) -> bool:
    return all(end.get(name) == ends[0].get(name) for end in ends)


def _slots(value: Value) -> Iterator[int]:
    """The local variables that hold the value."""
    match value:
        case SlotRef(slot):
            yield slot
        case Compound(source=InSlots(parts, first)) if value.is_variable:
            yield from (slot + k for leaf, slot in zip(parts, first, strict=True) for k in range(prod(leaf.dims)))


def _changes(code: Sequence[n.Stmt]) -> bool:
    """Whether the statements may change the state."""
    return any(isinstance(node, n.SetState | n.Call) for node in n.walk(*code))


def _stores_what_is_read(node: ast.For) -> bool:
    """Whether the body assigns a local variable that stands in what is iterated over."""
    return any(isinstance(part, ast.Name) and part.id in stored_names(node.body) for part in ast.walk(node.iter))


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
