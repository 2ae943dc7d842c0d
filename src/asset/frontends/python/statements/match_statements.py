"""match: value, literal, or-, capture, wildcard and tuple patterns, with guards."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from asset.frontends.python.body import Block, Body, joined
from asset.frontends.python.expressions.expression_compiler import ExpressionCompiler
from asset.frontends.python.ir_expressions import conjunction, constant, disjunction, is_boolean, is_plain
from asset.frontends.python.problems import Rejected
from asset.frontends.python.shapes.optionals import Optionals
from asset.frontends.python.shapes.records import Records
from asset.frontends.python.shapes.unions import Unions
from asset.frontends.python.statements.assignments import Assignments
from asset.frontends.python.traversals import Spread
from asset.frontends.python.values import Compound, RecordOf, Scalar, SetOf, Static, TupleOf, Value
from asset.ir import nodes as n
from asset.ir.shapes import Collection, OptionalShape, RecordShape, ScalarShape, Shape, UnionShape
from asset.ir.types import BoolType
from asset.model import Record


class Matched:
    """When a pattern matches: all of `tests` are true (`never`: it cannot); it then binds `captures`."""

    def __init__(self, *tests: n.Expr, never: bool = False) -> None:
        self.tests = list(tests)
        self.captures: list[tuple[str, Value]] = []
        self.never = never
        self.guarded = False
        """Whether the guard is among the tests."""


def _matches_all(case: ast.match_case) -> bool:
    """Whether the case may be taken without a look at the subject, or at a part of it."""
    match case.pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchSequence(patterns=patterns):
            return any(isinstance(part, ast.MatchAs | ast.MatchStar) for part in patterns)
        case _:
            return False


class MatchStatements:
    def __init__(self, body: Body, expressions: ExpressionCompiler, assignments: Assignments, block: Block) -> None:
        self._body = body
        self._expressions = expressions
        self._holding = expressions.holding
        self._bind = assignments.bind
        self._block = block
        self._patterns = Patterns(body, expressions)

    def match(self, node: ast.Match) -> None:
        self._cases(node.cases, self._subject(node), node)

    def _subject(self, node: ast.Match) -> Value:
        """What is matched; held in a slot unless evaluating it again is the same."""
        value = self._expressions.evaluate(node.subject)
        guards = [case.guard for case in node.cases if case.guard is not None]
        effects = any(isinstance(part, ast.Call) for guard in guards for part in ast.walk(guard))
        parts = value.items if isinstance(value, TupleOf) else (value,)
        if not effects and all(self._is_repeatable(part) for part in parts):
            if _matches_all(node.cases[0]):
                self._expressions.compounds.order.drop([value])
            return value
        return self._holding.value(value, node.subject)

    def _is_repeatable(self, value: Value) -> bool:
        """Whether evaluating it for each case gives the same; a captured name must not be part of it."""
        if not isinstance(value, Scalar):
            return isinstance(value, Static)
        locals_ = [node for node in n.walk(value.expr) if isinstance(node, n.Local)]
        return is_plain(value.expr) and all(self._body.is_stable(local) for local in locals_)

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
            self._captured(cases, found, subject, node)
            return
        before = dict(self._body.names)
        then, after_then = self._body.branch(lambda: self._captured(cases, found, subject, node), before)
        orelse, after_else = self._body.branch(lambda: self._cases(rest, subject, node), before)
        self._body.bound = joined([after_then, after_else])
        span = self._body.span(case.pattern)
        head = n.Case(span, conjunction(found.tests, span), then)
        if len(orelse) == 1 and isinstance(orelse[0], n.If):
            self._body.emit(n.If(span, (head, *orelse[0].cases), orelse[0].orelse))
        else:
            self._body.emit(n.If(span, (head,), orelse))

    def _found(self, case: ast.match_case, subject: Value, node: ast.Match) -> Matched:
        """When the case applies; a guard that needs no name of the pattern is one test more."""
        try:
            found = self._patterns.matched(case.pattern, subject, node.subject)
        except Rejected as rejected:
            self._body.fail(rejected)
            return Matched(never=True)
        if case.guard is not None and not found.captures and not found.never:
            guard = self._expressions.attempt_lazily(case.guard)
            found.guarded = True
            found.never = guard is False
            if not isinstance(guard, bool):
                found.tests.append(guard)
        return found

    def _captured(self, cases: Sequence[ast.match_case], found: Matched, subject: Value, node: ast.Match) -> None:
        """The first case's body, for a subject that has its pattern; if its guard is false, the cases after it."""
        case, rest = cases[0], cases[1:]
        for name, value in found.captures:
            self._bind(name, value, node.subject)
        guard = True if case.guard is None or found.guarded else self._expressions.attempt(case.guard)
        if isinstance(guard, bool):
            if guard:
                self._block(case.body)
            else:
                self._cases(rest, subject, node)
            return
        before = dict(self._body.names)
        then, after_then = self._body.branch(lambda: self._block(case.body), before)
        orelse, after_else = self._body.branch(lambda: self._cases(rest, subject, node), before)
        self._body.bound = joined([after_then, after_else])
        assert case.guard is not None
        head = n.Case(self._body.span(case.guard), guard, then)
        self._body.emit(n.If(self._body.span(case.pattern), (head,), orelse))


class Patterns:
    """When patterns match."""

    def __init__(self, body: Body, expressions: ExpressionCompiler) -> None:
        self._body = body
        self._expressions = expressions
        self._compounds = expressions.compounds

    def matched(self, pattern: ast.pattern, subject: Value, node: ast.expr) -> Matched:
        match pattern:
            case ast.MatchAs(pattern=None, name=None):
                return Matched()
            case ast.MatchAs(pattern=inner, name=str() as name):
                result = Matched() if inner is None else self.matched(inner, subject, node)
                result.captures.append((name, subject))
                return result
            case ast.MatchValue(value=expected):
                return self._equal(pattern, subject, self._expressions.evaluate(expected), node)
            case ast.MatchSingleton(value=expected):
                return self._singleton(pattern, subject, expected, node)
            case ast.MatchOr(patterns=patterns):
                return self._either(patterns, subject, node)
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(pattern, patterns, subject, node)
            case ast.MatchClass():
                return self._record(pattern, subject, node)
            case _:
                self._body.reject(pattern, "this pattern is not part of the language", "use if and elif")

    def _record(self, pattern: ast.MatchClass, subject: Value, node: ast.expr) -> Matched:
        """`case Prepare(ballot, to=k)`: a record of that class whose parts match."""
        known = self._expressions.evaluate(pattern.cls)
        if not isinstance(known, Static) or not isinstance(known.value, type) or not issubclass(known.value, Record):
            self._body.reject(pattern, "only classes of records can be matched", "use if and elif")
        cls, span = known.value, self._body.span(pattern)
        match subject:
            case Compound(shape=OptionalShape()):
                optional = Optionals(self._compounds, subject)
                found = self._record(pattern, optional.unchecked(node), node)
                found.tests.insert(0, optional.some(span))
                return found
            case Compound(shape=UnionShape(variants)):
                tags = [k for k, v in enumerate(variants) if v.host is not None and issubclass(v.host, cls)]
                return self._variant(pattern, subject, tags, node)
            case RecordOf(cls=own, items=items) if issubclass(own, cls):
                return self._parts(pattern, dict(zip(cls._fields, items, strict=False)), node)
            case Compound(shape=RecordShape(host=host, items=shapes)) if host is not None and issubclass(host, cls):
                parts = Records(self._compounds, subject).parts(node)
                bools = {name for name, shape in zip(host._fields, shapes, strict=True) if _is_bool(shape)}
                return self._parts(pattern, dict(zip(host._fields, parts, strict=True)), node, bools)
            case _:
                return Matched(never=True)

    def _variant(self, pattern: ast.MatchClass, subject: Compound, tags: list[int], node: ast.expr) -> Matched:
        union, span = Unions(self._compounds, subject), self._body.span(pattern)
        if not tags:
            return Matched(never=True)
        if len(tags) > 1 and (pattern.patterns or pattern.kwd_patterns):
            self._body.reject(pattern, "several classes match this", "match each of them")
        tests = disjunction([union.is_variant(tag, span) for tag in tags], span)
        found = Matched() if len(tags) > 1 else self._record(pattern, union.variant(tags[0]), node)
        found.tests.insert(0, tests)
        return found

    def _parts(
        self, pattern: ast.MatchClass, parts: dict[str, Value], node: ast.expr, bools: Set[str] = frozenset()
    ) -> Matched:
        """`bools` are the parts that are bools, which the code that reads them need not show."""
        positional = dict(zip(parts, pattern.patterns, strict=False))
        named = dict(zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True))
        if len(pattern.patterns) > len(parts) or not named.keys() <= parts.keys() - positional.keys():
            self._body.reject(pattern, f"it has the parts {', '.join(parts)}, each of which is matched once")
        result = Matched()
        for name, part in (positional | named).items():
            if name in bools and isinstance(part, ast.MatchSingleton) and part.value is not None:
                one = self._flag(part, parts[name], part.value, node)
            else:
                one = self.matched(part, parts[name], node)
            result.tests += one.tests
            result.captures += one.captures
            result.never = result.never or one.never
        return result

    def _flag(self, pattern: ast.pattern, subject: Value, expected: bool, node: ast.expr) -> Matched:
        expr = self._expressions.number(subject, node)
        return Matched(expr if expected else n.Unary(self._body.span(pattern), n.UnaryOp.NOT, expr))

    def _equal(self, pattern: ast.pattern, subject: Value, expected: Value, node: ast.expr) -> Matched:
        if isinstance(subject, Static) and isinstance(expected, Static):
            return Matched(never=subject.value != expected.value)
        span = self._body.span(pattern)
        if isinstance(subject, Compound):
            return Matched(self._compounds.equal(subject, expected, node))
        number = self._expressions.number
        return Matched(n.Binary(span, n.BinaryOp.EQ, number(subject, node), number(expected, node)))

    def _singleton(self, pattern: ast.pattern, subject: Value, expected: object, node: ast.expr) -> Matched:
        """True and False match bools only; None matches no number."""
        if isinstance(subject, Static):
            return Matched(never=subject.value is not expected)
        if isinstance(subject, Compound) and expected is None:
            return Matched(self._compounds.equal(subject, Static(None), node))
        if expected is None:
            return Matched(never=True)
        expr = self._expressions.number(subject, node)
        if not is_boolean(expr, self._body.draft.variables):
            self._body.reject(pattern, f"case {expected} matches only a bool, which this may not be", "use if")
        return self._flag(pattern, Scalar(expr), bool(expected), node)

    def _either(self, patterns: list[ast.pattern], subject: Value, node: ast.expr) -> Matched:
        parts = [self.matched(part, subject, node) for part in patterns]
        if any(part.captures for part in parts):
            what = "names inside | are not part of the language"
            self._body.reject(patterns[0], what, "capture with: case 1 | 2 as name")
        possible = [part for part in parts if not part.never]
        if not possible:
            return Matched(never=True)
        if any(not part.tests for part in possible):
            return Matched()
        tests = [conjunction(part.tests, part.tests[0].span) for part in possible]
        return Matched(disjunction(tests, tests[0].span))

    def _sequence(self, pattern: ast.pattern, patterns: list[ast.pattern], subject: Value, node: ast.expr) -> Matched:
        """`case [first, *rest]`: as many items as there are patterns, or at least as many; sets and dicts have none."""
        if isinstance(subject, Compound) and isinstance(subject.shape, OptionalShape):
            subject = TupleOf(self._compounds.items_of(subject, node))
        sequences = self._compounds.sequences
        whole = None if sequences.kind_of(subject) in _UNORDERED else sequences.spread(subject, node)
        if whole is None and not isinstance(subject, Compound | SetOf):
            self._body.reject(pattern, "this pattern is not part of the language", "use if and elif")
        if whole is None:
            return Matched(never=True)
        stars = [k for k, part in enumerate(patterns) if isinstance(part, ast.MatchStar)]
        before, after = (stars[0], len(patterns) - stars[0] - 1) if stars else (len(patterns), 0)
        if len(whole.items) < before + after or (not stars and constant(whole.length) not in (None, before)):
            return Matched(never=True)
        result = self._of_length(whole.length, before + after, bool(stars), pattern)
        items = [*whole.items[:before], *self._last(subject, whole, after, node)]
        others = [part for part in patterns if not isinstance(part, ast.MatchStar)]
        if stars:
            self._capture_rest(result, patterns[stars[0]], (subject, before, after), node)
        for part, item in zip(others, items, strict=True):
            one = self.matched(part, item, node)
            result.tests += one.tests
            result.captures += one.captures
            result.never = result.never or one.never
        return result

    def _of_length(self, length: n.Expr, count: int, is_least: bool, pattern: ast.pattern) -> Matched:
        """That there are so many items, or at least so many; no test if it is known."""
        if constant(length) is not None:
            return Matched()
        span = self._body.span(pattern)
        op = n.BinaryOp.GE if is_least else n.BinaryOp.EQ
        return Matched(n.Binary(span, op, length, n.Const(span, count)))

    def _last(self, subject: Value, whole: Spread, count: int, node: ast.expr) -> list[Value]:
        """So many items from the end, of a sequence that is long enough."""
        known = constant(whole.length)
        if count == 0 or known is not None:
            return list(whole.items[len(whole.items) - count :])
        assert isinstance(subject, Compound)
        return [self._compounds.lowered(subject).element(Static(-k), node) for k in range(count, 0, -1)]

    def _capture_rest(self, result: Matched, star: ast.pattern, rest: tuple[Value, int, int], node: ast.expr) -> None:
        """The items between those at the ends, as a list."""
        assert isinstance(star, ast.MatchStar)
        subject, before, after = rest
        if star.name is not None:
            span = self._body.span(node)
            bounds = (n.Const(span, before), n.Const(span, -after) if after else None, 1)
            listed = self._compounds.sequences.copied(subject, node)
            result.captures.append((star.name, self._compounds.sequences.sliced(listed, bounds, node)))


_UNORDERED = (Collection.SET, Collection.DICT)


def _is_bool(shape: Shape) -> bool:
    return isinstance(shape, ScalarShape) and isinstance(shape.type, BoolType)
