"""Parsing `ltl` blocks: formulas whose atoms are expressions of Promela."""

from __future__ import annotations

from collections.abc import Callable

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.expressions import PRECEDENCE, ExpressionParser, Scope
from asset.frontends.promela.lexing import Kind, Token
from asset.frontends.promela.token_stream import TokenStream
from asset.logic.formulas import (
    FALSE,
    TRUE,
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
)

Binary = Callable[[Formula, Formula], Formula]

_UNARY: dict[str, Callable[[Formula], Formula]] = {
    "!": Not,
    "X": Next,
    "next": Next,
    "always": Always,
    "eventually": Eventually,
}
_LEVELS: tuple[dict[str, Binary], ...] = (
    {"->": Implies, "implies": Implies, "<->": Iff, "equivalent": Iff},
    {"||": lambda a, b: Or((a, b))},
    {"&&": lambda a, b: And((a, b))},
    {
        **dict.fromkeys(("U", "until", "stronguntil"), Until),
        **dict.fromkeys(("W", "weakuntil"), WeakUntil),
        **dict.fromkeys(("V", "release"), Release),
    },
)
"""Operators between two formulas; later ones bind tighter, all from left to right."""

_COMPARING = 2
"""The first level of expressions whose operators are not those of logic."""

_GOES_ON = (*(op for level in PRECEDENCE[_COMPARING:] for op in level), "?", "??")
"""What says that a bracket before it was part of an expression."""


Atoms = Callable[[s.Expr, str], Formula]
"""Makes an atom of an expression, given its text with all macros expanded."""


def parse_formula(formula: s.Formula, scope: Scope, atom: Atoms) -> Formula:
    stream = TokenStream([*formula.tokens, formula.brace, Token(Kind.END, "", formula.brace.span)])
    parser = _FormulaParser(stream, scope, atom)
    found = parser.formula(0)
    if stream.now is not formula.brace:
        raise stream.unexpected("an operator of temporal logic")
    return found


class _FormulaParser:
    def __init__(self, stream: TokenStream, scope: Scope, atom: Atoms) -> None:
        self._stream = stream
        self._expressions = ExpressionParser(stream, scope)
        self._atom = atom

    def formula(self, level: int) -> Formula:
        if level == len(_LEVELS):
            return self._unary()
        left = self.formula(level + 1)
        while self._stream.now.text in _LEVELS[level]:
            operator = _LEVELS[level][self._stream.next().text]
            left = operator(left, self.formula(level + 1))
        return left

    def _unary(self) -> Formula:
        stream = self._stream
        if stream.at("[") and stream.ahead().text == "]":
            return Always(self._below(2))
        if stream.at("<") and stream.ahead().text == ">":
            return Eventually(self._below(2))
        if stream.at("!!"):
            return Not(Not(self._below(1)))
        if stream.at("!") and (compared := self._negated_operand()) is not None:
            return compared
        if stream.now.text in _UNARY and stream.now.kind is not Kind.STRING:
            return _UNARY[stream.now.text](self._below(1))
        return self._primary()

    def _negated_operand(self) -> Formula | None:
        """`!x == 1` negates x, as in C; None if what is next is the negation of a formula."""
        start = self._stream.position
        try:
            e = self._expressions.expression(_COMPARING)
        except ModelRejected:
            e = None
        if isinstance(e, s.Binary):
            return self._atom(e, self._stream.text_since(start))
        self._stream.position = start
        return None

    def _below(self, tokens: int) -> Formula:
        for _ in range(tokens):
            self._stream.next()
        return self._unary()

    def _primary(self) -> Formula:
        """A formula in brackets, unless the bracket turns out to be part of an expression. If it is neither, the error
        is that of what could be read further."""
        stream, start = self._stream, self._stream.position
        failed: ModelRejected | None = None
        if stream.at("("):
            try:
                stream.next()
                inside = self.formula(0)
                stream.expect(")")
                if not stream.at(*_GOES_ON) or self._diamond():
                    return inside
            except ModelRejected as rejected:
                failed = rejected
            stream.position = start
        try:
            e = self._expressions.expression(_COMPARING)
        except ModelRejected as rejected:
            raise rejected if failed is None or _place(rejected) > _place(failed) else failed from None
        if isinstance(e, s.Number) and e.value in (0, 1):
            return TRUE if e.value else FALSE
        return self._atom(e, stream.text_since(start))

    def _diamond(self) -> bool:
        return self._stream.at("<") and self._stream.ahead().text == ">"


def _place(rejected: ModelRejected) -> tuple[int, int]:
    span = rejected.diagnostics[0].span
    return (0, 0) if span is None else (span.line, span.column)
