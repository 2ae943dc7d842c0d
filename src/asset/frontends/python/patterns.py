"""match: value, literal, or-, capture, wildcard and tuple patterns, with guards."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from asset.frontends.python.assignments import Assignments
from asset.frontends.python.intervals import is_boolean, is_plain
from asset.frontends.python.values import Compound, Scalar, Static, TupleOf, Value
from asset.ir import nodes as n


@dataclass
class Matched:
    """When a pattern matches: all of `tests` are true (`never`: it cannot); it then binds `captures`."""

    tests: list[n.Expr] = field(default_factory=list)
    captures: list[tuple[str, Value]] = field(default_factory=list)
    never: bool = False
    guarded: bool = False
    """Whether the guard is among the tests."""


class Patterns(Assignments):
    def subject(self, node: ast.Match) -> Value:
        """What is matched; held in a slot unless evaluating it again is the same."""
        value = self.evaluate(node.subject)
        guards = [case.guard for case in node.cases if case.guard is not None]
        effects = any(isinstance(part, ast.Call) for guard in guards for part in ast.walk(guard))
        parts = value.items if isinstance(value, TupleOf) else (value,)
        if not effects and all(self._is_repeatable(part) for part in parts):
            return value
        return self.held_value(value, node.subject)

    def _is_repeatable(self, value: Value) -> bool:
        """Whether evaluating it for each case gives the same; a captured name must not be part of it."""
        if not isinstance(value, Scalar):
            return isinstance(value, Static)
        locals_ = [node for node in n.walk(value.expr) if isinstance(node, n.Local)]
        return is_plain(value.expr) and all(self.is_stable(local) for local in locals_)

    def matched(self, pattern: ast.pattern, subject: Value, node: ast.expr) -> Matched:
        match pattern:
            case ast.MatchAs(pattern=None, name=None):
                return Matched()
            case ast.MatchAs(pattern=inner, name=str() as name):
                result = Matched() if inner is None else self.matched(inner, subject, node)
                result.captures.append((name, subject))
                return result
            case ast.MatchValue(value=expected):
                return self._equal(pattern, subject, self.evaluate(expected), node)
            case ast.MatchSingleton(value=expected):
                return self._singleton(pattern, subject, expected, node)
            case ast.MatchOr(patterns=patterns):
                return self._either(patterns, subject, node)
            case ast.MatchSequence(patterns=patterns) if isinstance(subject, TupleOf):
                return self._sequence(pattern, patterns, subject, node)
            case _:
                self.reject(pattern, "this pattern is not part of the language", "use if and elif")

    def _equal(self, pattern: ast.pattern, subject: Value, expected: Value, node: ast.expr) -> Matched:
        if isinstance(subject, Static) and isinstance(expected, Static):
            return Matched(never=subject.value != expected.value)
        span = self.span(pattern)
        if isinstance(subject, Compound):
            return Matched([self.equal(subject, expected, node)])
        test = n.Binary(span, n.BinaryOp.EQ, self.number(subject, node), self.number(expected, node))
        return Matched([test])

    def _singleton(self, pattern: ast.pattern, subject: Value, expected: object, node: ast.expr) -> Matched:
        """True and False match bools only; None matches no number."""
        if isinstance(subject, Static):
            return Matched(never=subject.value is not expected)
        if isinstance(subject, Compound) and expected is None:
            return Matched([self.equal(subject, Static(None), node)])
        if expected is None:
            return Matched(never=True)
        expr = self.number(subject, node)
        if not is_boolean(expr, self.unit.variables):
            self.reject(pattern, f"case {expected} matches only a bool, which this may not be", "use if")
        return Matched([expr if expected else n.Unary(self.span(pattern), n.UnaryOp.NOT, expr)])

    def _either(self, patterns: list[ast.pattern], subject: Value, node: ast.expr) -> Matched:
        parts = [self.matched(part, subject, node) for part in patterns]
        captures = [part for part in parts if part.captures]
        if captures:
            self.reject(patterns[0], "names inside | are not part of the language", "capture with: case 1 | 2 as name")
        possible = [part for part in parts if not part.never]
        if not possible:
            return Matched(never=True)
        if any(not part.tests for part in possible):
            return Matched()
        tests = tuple(self._all(part.tests) for part in possible)
        return Matched([tests[0] if len(tests) == 1 else n.Or(tests[0].span, tests)])

    def _sequence(self, pattern: ast.pattern, patterns: list[ast.pattern], subject: TupleOf, node: ast.expr) -> Matched:
        if any(isinstance(part, ast.MatchStar) for part in patterns):
            self.reject(pattern, "* in a pattern is not part of the language", "write the elements one by one")
        if len(patterns) != len(subject.items):
            return Matched(never=True)
        result = Matched()
        for part, item in zip(patterns, subject.items, strict=True):
            one = self.matched(part, item, node)
            result.tests += one.tests
            result.captures += one.captures
            result.never = result.never or one.never
        return result

    def _all(self, tests: list[n.Expr]) -> n.Expr:
        return tests[0] if len(tests) == 1 else n.And(tests[0].span, tuple(tests))
