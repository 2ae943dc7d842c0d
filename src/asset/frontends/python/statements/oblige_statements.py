"""Obligations: what a hand-written stubborn set rule lists, with stb and stb_all."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence

from asset.frontends.python.body import Body
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.requests import FunctionRole
from asset.frontends.python.values import Itself
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.model import Transition
from asset.model.transitions import Numbered, numbered
from asset.span import Span


class ObligeStatements:
    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._expressions = expressions
        self._holding = expressions.holding

    def oblige(self, node: ast.Call) -> None:
        """`stb(…)`: numbers in the ASSET style, else a transition and its indices."""
        self._check_place(node)
        for part in node.args:
            if isinstance(part, ast.Starred):
                self._body.reject(part, "* is not part of the language here", "write the arguments one by one")
        if self._body.draft.model._nr_transitions is not None:
            commands = tuple(self._expressions.scalar(part) for part in node.args)
            self._body.emit(n.Oblige(self._body.span(node), commands))
        else:
            self._oblige_named(node)

    def oblige_all(self, node: ast.Call) -> None:
        """`stb_all()`."""
        self._check_place(node)
        if node.args:
            self._body.reject(node, "stb_all takes no argument", "write stb(...) to name some")
        self._body.emit(n.ObligeAll(self._body.span(node)))

    def _check_place(self, node: ast.Call) -> None:
        name = ast.unparse(node.func)
        if self._body.role is not FunctionRole.RULE:
            remedy = "move it to a method with @obligations or next_stubborn"
            self._body.reject(node, f"{name} stands in a rule only", remedy)
        if node.keywords:
            self._body.reject(node, f"{name} takes no keywords")

    # --- by name --------------------------------------------------------------------------------------------------

    def _oblige_named(self, node: ast.Call) -> None:
        family, span = self._transition(node), self._body.span(node)
        # Each index is computed before any of them is looked up, as Python does.
        indices = [self._holding.index(self._expressions.scalar(part)) for part in node.args[1:]]
        if not indices:
            self._oblige_family(family, span)
            return
        if len(indices) != len(family.ranges):
            names = ", ".join(family.transition.index_names) or "no index"
            self._body.reject(node, f"{family.transition.name} takes {names}, but is given {len(indices)}")
        self._body.emit(n.Oblige(span, (self._number(family, indices, span),)))

    def _transition(self, node: ast.Call) -> Numbered:
        """The transition that the first argument names."""
        match node.args:
            case [ast.Attribute(value=owner, attr=name), *_] if isinstance(self._expressions.evaluate(owner), Itself):
                member = inspect.getattr_static(type(self._body.draft.model), name, None)
                if isinstance(member, Transition):
                    return numbered(self._body.draft.model)[name]
        self._body.reject(node, "stb names a transition, then its indices", "write stb(self.request, i)")

    def _oblige_family(self, family: Numbered, span: Span) -> None:
        """Lists every instance of the transition, in increasing order."""
        slot = self._body.new_slot(family.transition.name)
        start, stop = n.Const(span, family.first), n.Const(span, family.first + family.size)
        one = n.Oblige(span, (n.Local(span, slot),))
        self._body.emit(n.For(span, slot, start, stop, n.Const(span, 1), (one,)))

    # --- from indices to the number of a command --------------------------------------------------------------------

    def _number(self, family: Numbered, indices: Sequence[n.Expr], span: Span) -> n.Expr:
        """The number of the command with these indices; an index that it does not have is a fault."""
        number: n.Expr = n.Const(span, family.first)
        stride = family.size
        for index, values in zip(indices, family.ranges, strict=True):
            stride //= max(len(values), 1)
            part = self._share(family, index, tuple(int(v) for v in values), stride)
            number = n.Binary(span, n.BinaryOp.ADD, number, part)
        return number

    def _share(self, family: Numbered, index: n.Expr, values: tuple[int, ...], stride: int) -> n.Expr:
        """What the index adds to the number: its position among the values, times the stride."""
        span, first = index.span, min(values, default=0)
        if values != tuple(range(first, first + len(values))):
            return self._searched(family, index, values, stride)
        position = index if first == 0 else n.Binary(span, n.BinaryOp.SUB, index, n.Const(span, first))
        known = self._body.bounds_of(position)
        if known is None or known[0] < 0 or known[1] >= len(values):
            name = family.transition.name
            return n.Table(span, name, (len(values),), tuple(k * stride for k in range(len(values))), (position,))
        return position if stride == 1 else n.Binary(span, n.BinaryOp.MUL, position, n.Const(span, stride))

    def _searched(self, family: Numbered, index: n.Expr, values: tuple[int, ...], stride: int) -> n.Expr:
        """The same for values with gaps: they are compared one by one."""
        span, name = index.span, family.transition.name
        fail = n.Fail(span, FaultKind.INDEX, (f"{name} has no index ", index))
        slot = self._body.new_slot(f"{name}.position")
        cases = tuple(
            n.Case(
                span,
                n.Binary(span, n.BinaryOp.EQ, index, n.Const(span, value)),
                (n.SetLocal(span, slot, n.Const(span, k * stride)),),
            )
            for k, value in enumerate(values)
        )
        self._body.emit(n.If(span, cases, (fail,)))
        return n.Local(span, slot)
