"""Statements: what each kind compiles to; branches, guards, model errors, and calls for their effect."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from asset.frontends.python.body import Bindings, Body, joined
from asset.frontends.python.exceptions import kind_of
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.expressions.invocations import FunctionCompiler, is_users_own
from asset.frontends.python.inlining import MARK
from asset.frontends.python.local_shapes import holds_place
from asset.frontends.python.problems import OUTSIDE, Rejected
from asset.frontends.python.requests import FunctionRole
from asset.frontends.python.shapes.local import Locals
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.shapes.queues import Queues
from asset.frontends.python.statements.assignments import Assignments
from asset.frontends.python.statements.chosen_places import ChosenPlaces
from asset.frontends.python.statements.long_lists import LongLists
from asset.frontends.python.statements.loop_statements import LoopStatements
from asset.frontends.python.statements.match_statements import MatchStatements
from asset.frontends.python.statements.oblige_statements import ObligeStatements
from asset.frontends.python.statements.return_statements import ReturnStatements
from asset.frontends.python.statements.rewriting import rewritten
from asset.frontends.python.values import Compound, Operation, Static, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.shapes import RefShape
from asset.model import stb, stb_all, when
from asset.model.syntax_trees import placed, stored_names
from asset.model.transitions import Disabled

MOST_COPIES = 64
"""So often is the rest of a block compiled twice in a function, as a name denotes one of two parts of the state."""


class StatementCompiler:
    """Compiles the statements of one function: it brings together the parts, each of which deals with some kinds."""

    def __init__(self, body: Body, functions: FunctionCompiler) -> None:
        self._body = body
        self._expressions = ExpressionCompiler(body, functions)
        self._compounds = self._expressions.compounds
        self._assignments = Assignments(body, self._expressions)
        loops = LoopStatements(body, self._expressions, self._assignments, self.block)
        matches = MatchStatements(body, self._expressions, self._assignments, self.block)
        obliges = ObligeStatements(body, self._expressions)
        self._long_lists = LongLists(body, self._expressions)
        self._moving = ChosenPlaces(body, self._expressions)
        self._rest: list[ast.stmt] = []
        """What comes after the statement in its block; a branch may take it over."""
        self._copies = 0
        self._words: dict[object, Callable[[ast.Call], None]] = {
            when: self._when,
            stb: obliges.oblige,
            stb_all: obliges.oblige_all,
        }
        """Statements that look like calls."""
        self._compile: dict[type[ast.stmt], Callable[[Any], None]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._assignments.annotated,
            ast.AugAssign: self._assignments.augmented,
            ast.If: self._if,
            ast.While: loops.while_,
            ast.For: loops.for_,
            ast.Break: loops.leave_round,
            ast.Continue: loops.leave_round,
            ast.Match: matches.match,
            ast.Return: ReturnStatements(body, self._expressions).return_,
            ast.Expr: self._expression,
            ast.Assert: self._assert,
            ast.Raise: self._raise,
            ast.Pass: lambda node: None,
            ast.Delete: self._delete,
        }

    # --- blocks ---------------------------------------------------------------------------------------------------

    def whole(self, node: ast.FunctionDef) -> None:
        """Compiles the body of a function. A parameter that is a reference and assigned to is a variable."""
        for argument in node.args.args:
            value = self._body.names[argument.arg]
            is_reference = isinstance(value, Compound) and isinstance(value.shape, RefShape)
            if is_reference and self._body.definition.stores[argument.arg]:
                self._body.collections.several.add(argument.arg)
                at = ast.copy_location(ast.Name(argument.arg, ast.Load()), argument)
                self._assignments.bind(argument.arg, value, at)
        self.block(node.body)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Compiles the statements in order, up to one that is never passed."""
        pending = list(statements)
        while pending and self._body.bound is not None:
            statement = pending.pop(0)
            statement, *others = rewritten(statement, self._moving)
            self._body.collections.several |= {name for name in stored_names([statement, *others]) if MARK in name}
            statement, pending = self._long_lists.without(statement, [*others, *pending])
            self._rest = pending
            try:
                self._statement(statement)
            except Rejected as rejected:
                self._body.fail(rejected)
                self._body.poison({*stored_names([statement]), *_named_by(statement)})

    def _statement(self, node: ast.stmt) -> None:
        compile_node = self._compile.get(type(node))
        if compile_node is None:
            what = f"{type(node).__name__} is not part of the language"
            self._body.reject(node, *OUTSIDE.get(type(node), (what, "")))
        around, self._body.has_acted = self._body.has_acted, False
        try:
            compile_node(node)
        finally:
            self._body.has_acted = around

    def inlined(self, statements: Sequence[ast.stmt]) -> Value | None:
        """The value of the `return` at the end, which is the only one; None if it is never reached."""
        *before, last = statements
        self.block(before)
        while self._body.bound is not None:
            *moved, rest = rewritten(last, self._moving)
            if not moved or (isinstance(moved[0], ast.Assign) and isinstance(moved[0].value, ast.IfExp)):
                break  # a choice between parts of the state is for the caller
            self.block(moved)
            last = rest
        if self._body.bound is None:
            return None
        assert isinstance(last, ast.Return) and last.value is not None
        return self._expressions.holding.value(self._expressions.evaluate_now(last.value), last.value)

    # --- branches -------------------------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        test = self._expressions.attempt(node.test)
        if isinstance(test, bool):
            self.block(node.body if test else node.orelse)
            return
        before, rest = self._body.bound, self._rest
        then, after_then = self._body.branch(lambda: self.block(node.body), before)
        orelse, after_else = self._body.branch(lambda: self.block(node.orelse), before)
        if _are_different_places(after_then, after_else, rest) and self._copies < MOST_COPIES:
            self._copies += 1
            left = [*rest]
            rest.clear()
            more, after_then = self._body.branch(lambda: self.block(left), after_then)
            others, after_else = self._body.branch(lambda: self.block(left), after_else)
            then, orelse = (*then, *more), (*orelse, *others)
        self._body.bound = joined([after_then, after_else])
        case = n.Case(self._body.span(node.test), test, then)
        if len(orelse) == 1 and isinstance(orelse[0], n.If) and _is_elif(node):
            self._body.emit(n.If(self._body.span(node), (case, *orelse[0].cases), orelse[0].orelse))
        else:
            self._body.emit(n.If(self._body.span(node), (case,), orelse))

    def _assign(self, node: ast.Assign) -> None:
        """`place = a if test else b` of compound values is an assignment in each branch; all others are one."""
        operators = self._expressions.operators
        if (handed_on := operators.choice_of(node.value)) is not None:
            node = placed(ast.Assign(node.targets, handed_on), node)
        match node:
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=ast.IfExp() as choice) if (
                self._assignments.is_compound(target)
            ):
                self._choose(target, choice, node)
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.IfExp() as choice) if (
                operators.chooses_values(choice)
            ):
                if not operators.chooses_places(choice):
                    self._body.collections.several.add(name)
                self._choose(target, choice, node)
            case ast.Assign(targets=[ast.Tuple() as target], value=ast.IfExp() as choice) if operators.chooses_places(
                choice
            ):
                self._choose(target, choice, node)
            case ast.Assign(targets=[target], value=ast.IfExp() as choice) if self._moving.takes_out_of(choice):
                self._body.definition.stores.update(stored_names([target]))  # it is assigned in two places now
                self._choose(target, choice, node)
            case _:
                with self._expressions.holding.copying(
                    _makes(node.value) and all(map(_is_stored_at_once, node.targets))
                ):
                    self._assignments.assign(node)

    def _choose(self, target: ast.expr, choice: ast.IfExp, node: ast.Assign) -> None:
        """An assignment in each branch."""
        parts = (choice.body, choice.orelse)
        then, orelse = (ast.copy_location(ast.Assign([target], part), part) for part in parts)
        self._if(ast.copy_location(ast.If(choice.test, [then], [orelse]), node))

    # --- guards, errors, effects ----------------------------------------------------------------------------------

    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or ...
        if not isinstance(node.value, ast.Call):
            if type(node.value) in OUTSIDE:
                self._body.reject(node.value, *OUTSIDE[type(node.value)])
            if self._body.role is FunctionRole.PROPERTY:
                name = self._body.definition.node.name
                self._body.reject(node, f"{name} does not return this", f"write return {ast.unparse(node.value)}")
            remedy = "assign with =" if isinstance(node.value, ast.Compare) else ""
            self._body.reject(node, "this statement has no effect", remedy)
        callee = self._expressions.evaluate(node.value.func)
        if isinstance(callee, Static) and isinstance(callee.value, FunctionType) and callee.value in self._words:
            self._words[callee.value](node.value)
        elif isinstance(callee, Operation):
            self._operation(callee, node.value, node)
        elif callee is not None and is_users_own(callee):
            call = self._expressions.invocations.invoke(callee, node.value)[1]
            self._body.emit(n.Evaluate(self._body.span(node), call))
        else:
            self._expressions.evaluate(node.value)
            self._body.reject(node, "the result of this call is not used")

    def _operation(self, callee: Operation, call: ast.Call, node: ast.Expr) -> None:
        """A method of a compound value, for its effect."""
        lowered = self._compounds.lowered(callee.value)
        if callee.name in lowered.ACTIONS:
            lowered.ACTIONS[callee.name](lowered, call)
            return
        before = len(self._body.emitted)
        self._expressions.evaluate_now(call)
        if len(self._body.emitted) == before:
            self._body.reject(node, "the result of this call is not used")

    def _delete(self, node: ast.Delete) -> None:
        """`del self.map[key]`."""
        for target in node.targets:
            whole = self._assignments.located(target.value) if isinstance(target, ast.Subscript) else None
            lowered = None if whole is None else self._compounds.lowered(whole)
            if not isinstance(lowered, Maps | Queues | Locals) or not isinstance(target, ast.Subscript):
                self._body.reject(node, *OUTSIDE[ast.Delete])
            lowered.delete(self._expressions.evaluate(target.slice), target)

    def _when(self, node: ast.Call) -> None:
        if len(node.args) != 1 or node.keywords:
            self._body.reject(node, "when takes one condition", "write when(a and b)")
        self._body.summary.guards = self._body.summary.guards or self._body.span(node)
        test = self._expressions.condition(node.args[0])
        if test is True:
            return
        expr = n.Const(self._body.span(node.args[0]), 0) if isinstance(test, bool) else test
        self._body.emit(n.When(self._body.span(node), expr))
        if isinstance(test, bool):
            self._body.bound = None

    def _assert(self, node: ast.Assert) -> None:
        if not __debug__:
            self._body.reject(node, "Python was started with -O, and leaves out assertions", "start it without -O")
        test, span = self._expressions.condition(node.test), self._body.span(node)
        if test is True:
            return
        message = (f"assert {ast.unparse(node.test)}",) if node.msg is None else self._expressions.text(node.msg)
        fail = n.Fail(span, FaultKind.ASSERTION, message)
        if isinstance(test, bool):
            self._body.emit(fail)
            self._body.bound = None
            return
        failed = n.Unary(span, n.UnaryOp.NOT, test)
        self._body.emit(n.If(span, (n.Case(span, failed, (fail,)),)))

    def _raise(self, node: ast.Raise) -> None:
        call = node.exc
        kind, arguments = (call.func, call.args) if isinstance(call, ast.Call) else (call, [])
        if kind is None:
            self._body.reject(node, "raise needs an exception", 'write raise ValueError("what is wrong")')
        known = self._expressions.evaluate(kind)
        if not (isinstance(known, Static) and isinstance(known.value, type) and issubclass(known.value, Exception)):
            self._body.reject(kind, "only exceptions can be raised", 'write raise ValueError("what is wrong")')
        if issubclass(known.value, Disabled):
            self._body.reject(node, f"{known.value.__name__} is what when() raises", "write when(False)")
        text = [piece for part in arguments for piece in self._expressions.text(part)]
        name = known.value.__name__
        message = (f"{name}: ", *text) if text else (name,)
        self._body.emit(n.Fail(self._body.span(node), kind_of(known.value), message))
        self._body.bound = None


def _are_different_places(then: Bindings | None, orelse: Bindings | None, rest: Sequence[ast.stmt]) -> bool:
    """Whether a name that the rest reads denotes one part of the state after a branch, and another one after the other:
    then the rest is compiled for each of them."""
    if then is None or orelse is None:
        return False
    different = {name for name in then.keys() & orelse.keys() if then[name] != orelse[name]}
    places = {name for name in different if holds_place(then[name]) or holds_place(orelse[name])}
    return any(isinstance(part, ast.Name) and part.id in places for each in rest for part in ast.walk(each))


def _makes(node: ast.expr) -> bool:
    """Whether it is a collection that is made here."""
    match node:
        case ast.Call(func=ast.Name(id="list" | "sorted" | "reversed" | "dict")):
            return True
        case _:
            return isinstance(node, ast.List | ast.ListComp | ast.Dict | ast.DictComp | ast.BinOp)


def _is_stored_at_once(target: ast.expr) -> bool:
    """Whether it is a part of the state, and nothing is called before it is assigned to."""
    is_called = any(isinstance(part, ast.Call) for part in ast.walk(target))
    return isinstance(target, ast.Attribute | ast.Subscript) and not is_called


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _named_by(statement: ast.stmt) -> set[str]:
    """The names that a statement without a place in the language would give a meaning to."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(alias.asname or alias.name).partition(".")[0] for alias in names}
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return set(names)
    return set()
