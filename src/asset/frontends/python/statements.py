"""Statements: control flow, guards, model errors, calls for their effect."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeGuard

from asset.frontends.python.body import Loop, Request, Role, joined
from asset.frontends.python.obligations import Obligations
from asset.frontends.python.patterns import Matched
from asset.frontends.python.problems import OUTSIDE, Rejected
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.source import stored_names
from asset.frontends.python.sweeps import Sweep
from asset.frontends.python.values import Method, Operation, Poison, SlotRef, Static, Value
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.model import stb, stb_all, when

Bound = dict[str, Value] | None

RETURN_NOTHING = {
    Role.TRANSITION: ("a transition returns nothing", "disable it with when(...)"),
    Role.RULE: ("a rule returns nothing", "list the transitions with stb(...)"),
    Role.REPRESENTATIVE: ("symmetry_representative returns nothing", "change the state in place"),
}


class Statements(Obligations):
    def inlined(self, callee: Method, node: ast.Call) -> Value:
        given = self.arguments_of(callee, node)
        definition = self.unit.sources.definition(callee.function)
        inner = Statements(self.unit, definition, Request(callee.function, Role.HELPER, ()))
        inner.slots, inner.emitted, inner.bounds = self.slots, self.emitted, self.bounds
        for name, (value, part) in given.items():
            inner.names[name] = self.held_value(value, part)
        *statements, last = definition.node.body
        assert isinstance(last, ast.Return) and last.value is not None
        inner.statements(statements)
        if inner.bound is None:
            self.reject(node, f"{ast.unparse(node.func)} never returns")
        result = inner.held_value(inner.evaluate_now(last.value), last.value)
        self.summary.includes(inner.summary)
        return result

    # --- blocks ---------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[ast.stmt]) -> tuple[n.Stmt, ...]:
        """The statements in order, up to one that is never passed."""
        outer, self.emitted = self.emitted, []
        self.statements(statements)
        result, self.emitted = tuple(self.emitted), outer
        return result

    def statements(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.bound is None:
                return
            try:
                self._statement(statement)
            except Rejected as rejected:
                self.fail(rejected)
                self.poison(list(stored_names([statement])))

    def _statement(self, node: ast.stmt) -> None:
        compile_node = _STATEMENTS.get(type(node))
        if compile_node is None:
            what = f"{type(node).__name__} is not part of the language"
            self.reject(node, *OUTSIDE.get(type(node), (what, "")))
        compile_node(self, node)

    def branch(self, statements: Sequence[ast.stmt], bound: Bound) -> tuple[tuple[n.Stmt, ...], Bound]:
        """The block compiled with those bindings, and the bindings at its end."""
        self.bound = None if bound is None else dict(bound)
        self.depth += 1
        body = self.block(statements)
        self.depth -= 1
        return body, self.bound

    # --- if -------------------------------------------------------------------------------------------------------

    def if_(self, node: ast.If) -> None:
        test = self.attempt(node.test)
        if isinstance(test, bool):
            self.statements(node.body if test else node.orelse)
            return
        before = self.bound
        then, after_then = self.branch(node.body, before)
        orelse, after_else = self.branch(node.orelse, before)
        self.bound = joined([after_then, after_else])
        case = n.Case(self.span(node.test), test, then)
        if len(orelse) == 1 and isinstance(orelse[0], n.If) and _is_elif(node):
            self.emitted.append(n.If(self.span(node), (case, *orelse[0].cases), orelse[0].orelse))
        else:
            self.emitted.append(n.If(self.span(node), (case,), orelse))

    def assignment(self, node: ast.Assign) -> None:
        """`place = a if test else b` of compound values is an assignment in each branch; all others are one."""
        match node:
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=ast.IfExp() as choice) if (
                self._is_compound(target)
            ):
                branches = [
                    ast.copy_location(ast.Assign([target], part), part) for part in (choice.body, choice.orelse)
                ]
                self.if_(ast.copy_location(ast.If(choice.test, [branches[0]], [branches[1]]), node))
            case _:
                self.assign(node)

    def _is_compound(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Subscript):
            return self.located(target.value) is not None
        return self.located(target) is not None

    # --- loops ----------------------------------------------------------------------------------------------------

    def while_(self, node: ast.While) -> None:
        if node.orelse:
            self.reject(node.orelse[0], "else after a loop is not part of the language", "use a flag, or return")
        self._forget_rebound([*node.body, node.test])
        test = self.attempt(node.test)
        if test is False:
            return
        body = self._loop_body(node.body)
        condition = n.Const(self.span(node.test), 1) if isinstance(test, bool) else test
        self.emitted.append(n.While(self.span(node), condition, body))
        if test is True and not _breaks(node.body):
            self.bound = None

    def for_(self, node: ast.For) -> None:
        if node.orelse:
            self.reject(node.orelse[0], "else after a loop is not part of the language", "use a flag, or return")
        targets = list(stored_names([node.target]))
        try:
            sweep = self._fixed_sweep(node.iter)
        except Rejected as rejected:
            self.fail(rejected)
            before = dict(self.names)
            self.branch(node.body, before | {name: Poison() for name in targets})
            self.bound = before | {name: Poison() for name in targets}
            return
        self._forget_rebound([*node.body, node.target])
        slot = self._target_slot(node, sweep)
        length = self._fixed_length(sweep)
        body = self._loop_body(node.body, (node.target, sweep, slot))
        if length is not None and sweep.guards is not None and _changes(body):
            unchanged, held, span = sweep.guards, length, self.span(node.iter)
            body = (*self.collected(lambda: unchanged(held, span)), *body)
        stop = sweep.stop if length is None else length
        self.emitted.append(n.For(self.span(node), slot, sweep.start, stop, sweep.step, body))

    def _fixed_length(self, sweep: Sweep) -> n.Expr | None:
        """The number of elements when the iteration begins, where it may change."""
        return None if sweep.guards is None else self.held_number(sweep.stop, sweep.name)

    def _fixed_sweep(self, node: ast.expr) -> Sweep:
        """The iteration over what the expression denotes when the loop begins, whatever its body assigns."""
        self.may_hold = True
        try:
            return self.sweep(node)
        finally:
            self.may_hold = False

    def _target_slot(self, node: ast.For, sweep: Sweep) -> int:
        """The counter is the loop's variable itself where it counts."""
        if not sweep.counts or not isinstance(node.target, ast.Name):
            return self.counter(sweep)
        slot = self.slot_of(node.target.id)
        if sweep.bounds is not None and self.definition.stores[node.target.id] == 1:
            self.bounds[slot] = sweep.bounds
        return slot

    def _forget_rebound(self, parts: Sequence[ast.AST]) -> None:
        """At the head of a loop, what the loop binds is known to be the same only where it is a number in a slot."""
        for name in stored_names(parts):
            if not isinstance(self.names.get(name), SlotRef | Poison | None):
                del self.names[name]

    def _loop_body(
        self, statements: Sequence[ast.stmt], element: tuple[ast.expr, Sweep, int] | None = None
    ) -> tuple[n.Stmt, ...]:
        """The body; afterwards what is bound is what was bound before the loop, as it may not run at all."""
        before = dict(self.names)
        self.loops.append(Loop())
        outer, self.emitted = self.emitted, []
        self.depth += 1
        self.bound = dict(before)
        if element is not None:
            self._begin_round(*element)
        self.statements(statements)
        self.depth -= 1
        body, self.emitted = tuple(self.emitted), outer
        if element is not None and element[1].test is not None:
            span = self.span(element[0])
            body = (n.If(span, (n.Case(span, element[1].test(n.Local(span, element[2])), body),)),)
        ends = [end for end in (*self.loops.pop().leaving, self.bound) if end is not None]
        for name, value in before.items():
            if any(end.get(name) not in (value, Poison()) for end in ends):
                before[name] = Poison()
                self._report_rebound(name, statements[0])
        self.bound = before
        return body

    def _report_rebound(self, name: str, at: ast.stmt) -> None:
        message = f"'{name}' is a number before this loop, and something else after a round of it"
        self.unit.problems.add(message, self.span(at), "use another name")
        self.summary.broken = True

    def _begin_round(self, target: ast.expr, sweep: Sweep, slot: int) -> None:
        if isinstance(target, ast.Name) and sweep.counts:
            self.names[target.id] = SlotRef(slot)
            return
        try:
            self.store_element(target, sweep.element(n.Local(self.span(target), slot)))
        except Rejected as rejected:
            self.fail(rejected)
            self.poison(list(stored_names([target])))

    def leave_round(self, node: ast.Break | ast.Continue) -> None:
        self.loops[-1].leaving.append(self.names)
        self.bound = None
        self.emitted.append((n.Break if isinstance(node, ast.Break) else n.Continue)(self.span(node)))

    # --- match ----------------------------------------------------------------------------------------------------

    def match(self, node: ast.Match) -> None:
        subject = self.subject(node)
        self._cases(node.cases, subject, node)

    def _cases(self, cases: Sequence[ast.match_case], subject: Value, node: ast.Match) -> None:
        """The first case that matches; its names are bound before its guard is evaluated."""
        if not cases:
            return
        case, rest = cases[0], cases[1:]
        found = self._found(case, subject, node)
        if found.never:
            self._cases(rest, subject, node)
            return
        if not found.tests:
            self._captured(case, found, rest, subject, node)
            return
        before = dict(self.names)
        then, after_then = self._nested(lambda: self._captured(case, found, rest, subject, node), before)
        orelse, after_else = self._nested(lambda: self._cases(rest, subject, node), before)
        self.bound = joined([after_then, after_else])
        span = self.span(case.pattern)
        test = found.tests[0] if len(found.tests) == 1 else n.And(span, tuple(found.tests))
        head = n.Case(span, test, then)
        if len(orelse) == 1 and isinstance(orelse[0], n.If):
            self.emitted.append(n.If(span, (head, *orelse[0].cases), orelse[0].orelse))
        else:
            self.emitted.append(n.If(span, (head,), orelse))

    def _found(self, case: ast.match_case, subject: Value, node: ast.Match) -> Matched:
        """When the case applies; a guard that needs no name of the pattern is one test more."""
        try:
            found = self.matched(case.pattern, subject, node.subject)
        except Rejected as rejected:
            self.fail(rejected)
            return Matched(never=True)
        if case.guard is not None and not found.captures and not found.never:
            guard = self.attempt(case.guard)
            found.guarded = True
            found.never = guard is False
            if not isinstance(guard, bool):
                found.tests.append(guard)
        return found

    def _captured(
        self,
        case: ast.match_case,
        found: Matched,
        rest: Sequence[ast.match_case],
        subject: Value,
        node: ast.Match,
    ) -> None:
        """The case's body, for a subject that has its pattern; where its guard is false, the cases after it."""
        for name, value in found.captures:
            self.bind(name, value, node.subject)
        guard = True if case.guard is None or found.guarded else self.attempt(case.guard)
        if isinstance(guard, bool):
            if guard:
                self.statements(case.body)
            else:
                self._cases(rest, subject, node)
            return
        before = dict(self.names)
        then, after_then = self.branch(case.body, before)
        orelse, after_else = self._nested(lambda: self._cases(rest, subject, node), before)
        self.bound = joined([after_then, after_else])
        assert case.guard is not None
        self.emitted.append(n.If(self.span(case.pattern), (n.Case(self.span(case.guard), guard, then),), orelse))

    def _nested(self, compile_part: Callable[[], None], bound: Bound) -> tuple[tuple[n.Stmt, ...], Bound]:
        outer, self.emitted = self.emitted, []
        self.bound = None if bound is None else dict(bound)
        self.depth += 1
        compile_part()
        self.depth -= 1
        body, self.emitted = tuple(self.emitted), outer
        return body, self.bound

    # --- return ---------------------------------------------------------------------------------------------------

    def return_(self, node: ast.Return) -> None:
        value = self._returned(node)
        self.emitted.append(n.Return(self.span(node), value))
        self.bound = None

    def _returned(self, node: ast.Return) -> n.Expr | None:
        nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
        if self.role is Role.MESSAGES:
            return self.message(node.value) if node.value is not None else None
        if nothing or node.value is None:
            self.summary.gives_nothing = True
            if self.role in (Role.FIRE, Role.PROPERTY):
                self.reject(node, f"{self.definition.node.name} must return True or False on every path")
            return None
        if self.role in RETURN_NOTHING:
            self.reject(node, *RETURN_NOTHING[self.role])
        self.summary.gives_value = True
        if isinstance(node.value, ast.Tuple):
            self.reject(node.value, "a function returns one number", "write a function for each")
        return self.number(self.evaluate_now(node.value), node.value)

    def message(self, node: ast.expr) -> n.Expr:
        """What is wrong, as the number of its text; 0 where nothing is."""
        span = self.span(node)
        match node:
            case ast.Constant(value=str() as text) if text:
                if text not in self.unit.messages:
                    self.unit.messages.append(text)
                return n.Const(span, self.unit.messages.index(text) + 1)
            case ast.Constant(value=None | False | 0 | ""):
                return n.Const(span, 0)
            case ast.IfExp():
                test = self.condition(node.test)
                if isinstance(test, bool):
                    return self.message(node.body if test else node.orelse)
                return n.Conditional(span, test, self.message(node.body), self.message(node.orelse))
            case ast.BoolOp(op=ast.Or()):
                return n.Or(span, tuple(self.message(part) for part in node.values))
            case ast.Call():
                return self._called_message(node)
            case ast.JoinedStr():
                self.reject(node, "the message of a check is fixed text", "the values are shown with the state")
            case _:
                self.reject(node, "a check returns text that says what is wrong, or None")

    def _called_message(self, node: ast.Call) -> n.Expr:
        callee = self.evaluate(node.func)
        if not is_users_own(callee):
            self.reject(node, "a check returns text that says what is wrong, or None")
        return self.invoke(callee, node, Role.MESSAGES)[1]

    # --- guards, errors, effects ----------------------------------------------------------------------------------

    def expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or ...
        if not isinstance(node.value, ast.Call):
            if type(node.value) in OUTSIDE:
                self.reject(node.value, *OUTSIDE[type(node.value)])
            remedy = "assign with =" if isinstance(node.value, ast.Compare) else ""
            self.reject(node, "this statement has no effect", remedy)
        callee = self.evaluate(node.value.func) if not _is_super(node.value.func) else None
        if isinstance(callee, Static) and isinstance(callee.value, FunctionType) and callee.value in _WORDS:
            _WORDS[callee.value](self, node.value)
        elif isinstance(callee, Operation):
            self._operation(callee, node)
        elif callee is not None and is_users_own(callee):
            call = self.invoke(callee, node.value)[1]
            self.emitted.append(n.Evaluate(self.span(node), call))
        else:
            self.call(node.value)
            self.reject(node, "the result of this call is not used")

    def _operation(self, callee: Operation, node: ast.Expr) -> None:
        """A method of a compound value, for its effect."""
        assert isinstance(node.value, ast.Call)
        lowered = self.lowered(callee.value)
        if callee.name in lowered.ACTIONS:
            lowered.ACTIONS[callee.name](lowered, node.value)
            return
        before = len(self.emitted)
        self.evaluate_now(node.value)
        if len(self.emitted) == before:
            self.reject(node, "the result of this call is not used")

    def delete(self, node: ast.Delete) -> None:
        """`del self.map[key]`."""
        for target in node.targets:
            whole = self.located(target.value) if isinstance(target, ast.Subscript) else None
            lowered = None if whole is None else self.lowered(whole)
            if not isinstance(lowered, Maps) or not isinstance(target, ast.Subscript):
                self.reject(node, *OUTSIDE[ast.Delete])
            lowered.delete(self.evaluate(target.slice), target)

    def _when(self, node: ast.Call) -> None:
        if len(node.args) != 1 or node.keywords:
            self.reject(node, "when takes one condition", "write when(a and b)")
        self.summary.guards = self.summary.guards or self.span(node)
        test = self.condition(node.args[0])
        if test is True:
            return
        expr = n.Const(self.span(node.args[0]), 0) if isinstance(test, bool) else test
        self.emitted.append(n.When(self.span(node), expr))

    def assert_(self, node: ast.Assert) -> None:
        test, span = self.condition(node.test), self.span(node)
        if test is True:
            return
        message = (f"assert {ast.unparse(node.test)}",) if node.msg is None else self.text(node.msg)
        fail = n.Fail(span, FaultKind.ASSERTION, message)
        if isinstance(test, bool):
            self.emitted.append(fail)
            self.bound = None
            return
        failed = n.Unary(span, n.UnaryOp.NOT, test)
        self.emitted.append(n.If(span, (n.Case(span, failed, (fail,)),)))

    def raise_(self, node: ast.Raise) -> None:
        call = node.exc
        kind, arguments = (call.func, call.args) if isinstance(call, ast.Call) else (call, [])
        if kind is None:
            self.reject(node, "raise needs an exception", 'write raise ValueError("what is wrong")')
        known = self.evaluate(kind)
        if not (isinstance(known, Static) and isinstance(known.value, type) and issubclass(known.value, BaseException)):
            self.reject(kind, "only exceptions can be raised", 'write raise ValueError("what is wrong")')
        text = [piece for part in arguments for piece in self.text(part)]
        name = known.value.__name__
        message = (f"{name}: ", *text) if text else (name,)
        self.emitted.append(n.Fail(self.span(node), FaultKind.RAISE, message))
        self.bound = None

    def pass_(self, node: ast.Pass) -> None:
        """Nothing."""


_WORDS: dict[object, Callable[[Statements, ast.Call], None]] = {
    when: Statements._when,
    stb: Statements.oblige,
    stb_all: Statements.oblige_all,
}
"""Statements that look like calls."""


def is_users_own(callee: Value) -> TypeGuard[Static | Method]:
    return isinstance(callee, Method) or (isinstance(callee, Static) and isinstance(callee.value, FunctionType))


def _changes(body: Sequence[n.Stmt]) -> bool:
    """Whether the statements may change the state."""
    return any(isinstance(node, n.SetState | n.Call) for node in n.walk(*body))


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "super"


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


_STATEMENTS: dict[type[ast.stmt], Callable[[Statements, Any], None]] = {
    ast.Assign: Statements.assignment,
    ast.AnnAssign: Statements.annotated,
    ast.AugAssign: Statements.augmented,
    ast.If: Statements.if_,
    ast.While: Statements.while_,
    ast.For: Statements.for_,
    ast.Match: Statements.match,
    ast.Break: Statements.leave_round,
    ast.Continue: Statements.leave_round,
    ast.Return: Statements.return_,
    ast.Expr: Statements.expression,
    ast.Assert: Statements.assert_,
    ast.Raise: Statements.raise_,
    ast.Pass: Statements.pass_,
    ast.Delete: Statements.delete,
}
