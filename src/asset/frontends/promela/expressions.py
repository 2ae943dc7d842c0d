"""Parsing expressions, and what names mean in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.frontends.promela.lexing import Kind, Token
from asset.frontends.promela.token_stream import TokenStream
from asset.frontends.promela.types import Structure, Type
from asset.span import Span

if TYPE_CHECKING:
    from asset.frontends.promela.abstract_types import Collection

PRECEDENCE: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Operators between two operands; later ones bind tighter."""

QUERIES = ("len", "empty", "full", "nempty", "nfull")
PREDEFINED = ("_pid", "_nr_pr", "_last", "_priority", "np_", "timeout")
EMBEDDED = ("c_expr", "c_code", "c_decl", "c_state", "c_track")
DEEPEST = 120
HIGHEST = 255
"""The highest priority."""


@dataclass(slots=True)
class Scope:
    """What names mean: variables, constants and structures, innermost last."""

    levels: list[dict[str, s.Declaration]] = field(default_factory=lambda: [{}])
    constants: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The mtype that a constant belongs to, and its value."""
    structures: dict[str, Structure] = field(default_factory=dict)
    enumerations: dict[str, int] = field(default_factory=dict)
    """How many constants each has, if the file asks for collections."""
    collections: dict[s.Declaration, Collection] = field(default_factory=dict)
    processes: set[str] = field(default_factory=set)
    """The names of the proctypes that were declared so far."""
    referenced: set[tuple[str, str]] = field(default_factory=set)
    """The labels that are named from outside of their proctype, each after its proctype."""
    claims: dict[str, list[tuple[str, s.Reference]]] = field(default_factory=dict)
    """What each proctype says of channels: `xr` or `xs`, and the channel."""

    def find(self, name: str) -> s.Declaration | None:
        return next((level[name] for level in reversed(self.levels) if name in level), None)

    def names(self) -> Iterator[str]:
        return (name for level in self.levels for name in level)


class ExpressionParser:
    def __init__(self, stream: TokenStream, scope: Scope) -> None:
        self.stream = stream
        self.scope = scope
        self._depth = 0

    def expression(self, level: int = 0) -> s.Expr:
        if level == len(PRECEDENCE):
            return self._unary()
        start = self.stream.now.span
        left = self.expression(level + 1)
        while self.stream.at(*PRECEDENCE[level]) and not self._ends_poll():
            op = self.stream.next().text
            right = self.expression(level + 1)
            left = s.Binary(self.stream.since(start), op, left, right)
        return left

    def _ends_poll(self) -> bool:
        """The `>` of `q?<x>` is no operator."""
        return self._in_angles and self.stream.at(">")

    _in_angles = False

    def _unary(self) -> s.Expr:
        token = self.stream.now
        if self.stream.at("!", "!!", "-", "~"):
            self.stream.next()
            self._depth += 1
            if self._depth > DEEPEST:
                raise ModelRejected.of("this expression is nested too deeply", token.span, "split it")
            operand = self._unary()
            self._depth -= 1
            for op in token.text:
                operand = s.Unary(self.stream.since(token.span), op, operand)
            return operand
        return self._primary()

    def _primary(self) -> s.Expr:
        token = self.stream.now
        if token.kind is Kind.NUMBER:
            self.stream.next()
            return s.Number(token.span, token.value)
        if self.stream.at("("):
            return self._bracketed()
        if token.kind is not Kind.NAME:
            assigned = (
                "an assignment is x = x + 1, alone in a statement; what compares is ==" if token.text == "=" else ""
            )
            raise self.stream.unexpected("an expression", assigned)
        return self._word(token)

    def _bracketed(self) -> s.Expr:
        start = self.stream.next().span
        self._depth += 1
        if self._depth > DEEPEST:
            raise ModelRejected.of("this expression is nested too deeply", start, "split it")
        in_angles, self._in_angles = self._in_angles, False
        inside = self.expression()
        if self.stream.take("->"):
            then = self.expression()
            self.stream.expect(":", "a conditional expression is (test -> value : value)")
            inside = s.Conditional(self.stream.since(start), inside, then, self.expression())
        self.stream.expect(")")
        self._in_angles = in_angles
        self._depth -= 1
        return inside

    def _word(self, token: Token) -> s.Expr:
        text = token.text
        if text in ("true", "skip"):
            return s.Number(self.stream.next().span, 1)
        if text == "false":
            return s.Number(self.stream.next().span, 0)
        if text in QUERIES and self.stream.ahead().text == "(":
            return self._query()
        if text == "run":
            return self._run()
        if text in ("enabled", "pc_value", "get_priority"):
            self.stream.next()
            self.stream.expect("(")
            number = self.expression()
            self.stream.expect(")")
            return s.OfProcess(self.stream.since(token.span), text, number)
        if text in EMBEDDED:
            raise embedded(token)
        return self._name()

    def _query(self) -> s.ChannelQuery:
        word = self.stream.next()
        self.stream.expect("(")
        channel = self.reference("a channel")
        self.stream.expect(")")
        return s.ChannelQuery(self.stream.since(word.span), word.text, channel)

    def _run(self) -> s.Run:
        start = self.stream.next().span
        name = self.stream.name("the name of a proctype").text
        self.stream.expect("(", "the arguments go into brackets: run p()")
        arguments = self.arguments(")")
        self.stream.expect(")")
        return s.Run(self.stream.since(start), name, arguments, self.priority())

    def priority(self) -> int | None:
        """The number behind the word `priority`, if that is next."""
        if not self.stream.take("priority"):
            return None
        value = constant(self.expression())
        if value is None or not 1 <= value <= HIGHEST:
            span = self.stream.now.span
            raise ModelRejected.of(f"a priority is a constant from 1 to {HIGHEST}", span, "write a number")
        return value

    def arguments(self, closing: str) -> tuple[s.Expr, ...]:
        found: list[s.Expr] = []
        while not self.stream.at(closing):
            found.append(self.expression())
            if not self.stream.take(","):
                break
        return tuple(found)

    # --- names --------------------------------------------------------------------------------------------------------

    def _name(self) -> s.Expr:
        token = self.stream.now
        known = self.scope.find(token.text)
        if known is None:
            if token.text in PREDEFINED:
                return s.Predefined(self.stream.next().span, token.text)
            if token.text in self.scope.constants:
                self.stream.next()
                return s.Number(token.span, self.scope.constants[token.text][1], token.text)
            remote = self._remote()
            if remote is not None:
                return remote
        reference = self.reference("a variable")
        if self.stream.at("?", "??") and self.stream.ahead().text == "[":
            return self._poll(reference)
        return reference

    def _remote(self) -> s.RemoteLabel | s.RemoteVariable | None:
        """`p[1]@label`, `p@label`, `p[1]:v` or `p:v`, if that is what is next."""
        stream, start = self.stream, self.stream.position
        token, number = stream.next(), None
        if stream.take("["):
            number = self.expression()
            stream.expect("]")
        if stream.take("@"):
            label = stream.name("a label").text
            self.scope.referenced.add((token.text, label))
            return s.RemoteLabel(stream.since(token.span), token.text, number, label)
        if stream.at(":") and stream.ahead().kind is Kind.NAME and (number or token.text in self.scope.processes):
            stream.next()
            name = stream.name("a variable").text
            index, parts = self._index(), self._parts()
            return s.RemoteVariable(stream.since(token.span), token.text, number, name, index, parts)
        stream.position = start
        return None

    def reference(self, what: str) -> s.Reference:
        token = self.stream.name(what)
        declaration = self.scope.find(token.text)
        if declaration is None:
            raise undeclared(token, self.scope)
        index = self._index()
        parts = self._parts()
        reference = s.Reference(self.stream.since(token.span), declaration, index, parts)
        type_of(reference)
        return reference

    def _index(self) -> s.Expr | None:
        if not self.stream.take("["):
            return None
        in_angles, self._in_angles = self._in_angles, False
        index = self.expression()
        self._in_angles = in_angles
        self.stream.expect("]")
        return index

    def _parts(self) -> tuple[s.Part, ...]:
        parts: list[s.Part] = []
        while self.stream.take("."):
            name = self.stream.name("a field").text
            parts.append(s.Part(name, self._index()))
        return tuple(parts)

    # --- messages -----------------------------------------------------------------------------------------------------

    def _poll(self, channel: s.Reference) -> s.Poll:
        anywhere = self.stream.next().text == "??"
        self.stream.expect("[")
        arguments = self.received("]")
        self.stream.expect("]")
        return s.Poll(self.stream.since(channel.span), channel, arguments, anywhere)

    def received(self, closing: str) -> tuple[s.Argument, ...]:
        """The arguments of a receive; `a(b, c)` is the same as `a, b, c`."""
        in_angles, self._in_angles = self._in_angles, closing == ">"
        found, nested = [self._argument()], False
        while True:
            if self.stream.at("(") and not nested:
                self.stream.next()
                nested = True
            elif self.stream.at(")") and nested:
                self.stream.next()
                break
            elif not self.stream.take(","):
                break
            if self.stream.at(")") and nested:
                continue
            found.append(self._argument())
        self._in_angles = in_angles
        return tuple(found)

    def _argument(self) -> s.Argument:
        token = self.stream.now
        if self.stream.at("_"):
            return s.Argument(self.stream.next().span, None, False)
        if self.stream.at("eval") and self.stream.ahead().text == "(":
            self.stream.next()
            self.stream.next()
            value = self.expression()
            self.stream.expect(")")
            return s.Argument(self.stream.since(token.span), value, True)
        if token.kind is Kind.NAME and self.scope.find(token.text) is not None:
            reference = self.reference("a variable")
            return s.Argument(reference.span, reference, False)
        value = self._unary()
        if not isinstance(value, s.Number | s.Unary | s.Predefined):
            raise ModelRejected.of("a receive takes variables and constants", token.span, "write it like eval(x + 1)")
        return s.Argument(value.span, value, True)


class ConditionParser(ExpressionParser):
    """Conditions of `#if`, in which C's `a ? b : c` binds least."""

    def expression(self, level: int = 0) -> s.Expr:
        start = self.stream.now.span
        test = super().expression(level)
        if level > 0 or not self.stream.take("?"):
            return test
        then = self.expression()
        self.stream.expect(":", "a conditional expression of #if is test ? value : value")
        return s.Conditional(self.stream.since(start), test, then, self.expression())


def type_of(reference: s.Reference) -> Type:
    """The type of what the reference denotes; ModelRejected if there is no such part."""
    declaration = reference.declaration
    found = declaration.type
    _require_index(declaration.name, declaration.length, reference.index, reference.span)
    for part in reference.parts:
        member = found.member(part.name) if isinstance(found, Structure) else None
        if member is None:
            fields = ", ".join(m.name for m in found.members) if isinstance(found, Structure) else "none"
            said = f"{found} has no field {part.name}"
            raise ModelRejected.of(said, reference.span, f"its fields: {fields}")
        found = member.type
        _require_index(part.name, member.length, part.index, reference.span)
    return found


def _require_index(name: str, length: int | None, index: s.Expr | None, span: Span) -> None:
    if index is not None and length is None:
        raise ModelRejected.of(f"{name} is no array", span, "leave the index out")


_NUMBERS = "numbers are of type bit, bool, byte, short, int or unsigned"
_ELSEWHERE = {
    "while": "write do :: (condition) -> … :: else -> break od",
    "switch": "write if :: (x == 1) -> … :: else -> … fi",
    "return": "write goto, to a label at the end",
    **dict.fromkeys(("float", "double", "char", "long", "uint", "string"), _NUMBERS),
}
"""Words of other languages, and what is written instead."""


def undeclared(token: Token, scope: Scope) -> ModelRejected:
    from difflib import get_close_matches

    if token.text in EMBEDDED:
        return embedded(token)
    if token.text in _ELSEWHERE:
        return ModelRejected.of(f"there is no {token.text} in Promela", token.span, _ELSEWHERE[token.text])
    near = get_close_matches(token.text, [*scope.names(), *scope.constants], 1)
    remedy = f"is {near[0]} meant?" if near else "declare it before it is used"
    return ModelRejected.of(f"{token.text} is not declared", token.span, remedy)


def embedded(token: Token) -> ModelRejected:
    said = f"{token.text} is embedded C, which cannot be checked here: its meaning is that of a C compiler"
    return ModelRejected.of(said, token.span, "write what it does in Promela")
