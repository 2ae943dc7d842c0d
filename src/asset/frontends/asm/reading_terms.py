"""Terms, as far as both notations write them alike: operators by their precedence, calls, displays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from asset.frontends.asm import tree as t
from asset.frontends.asm.kinds import MOST_NUMBER, reduced
from asset.frontends.asm.reading import Misread, Reader

Levels = tuple[Mapping[str, str], ...]
DISJUNCTIONS: Levels = ({"or": "or", "xor": "xor"}, {"and": "and", "&": "and"})
_COMPARISONS: tuple[Mapping[str, str], ...] = (
    {"=": "=", "!=": "!=", "<>": "!=", "in": "in", "notin": "notin"},
    {"<": "<", "<=": "<=", ">": ">", ">=": ">="},
)
_ARITHMETIC: tuple[Mapping[str, str], ...] = (
    {"+": "+", "-": "-", "union": "union", "\\": "\\"},
    {"*": "*", "/": "/", "div": "div", "mod": "mod", "intersect": "intersect"},
    {"^": "^"},
)


SMV_UNDEF = "2147483647"
"""Less this is what AsmetaSMV makes of `undef`, and what people write who check machines with it."""


class TermReader(Reader):
    """Reads terms; a notation says what stands between operators."""

    _membership = True  # whether `in` is an operator here
    _levels: ClassVar[Levels] = (
        {"iff": "iff", "<=>": "iff"},
        {"implies": "implies", "=>": "implies"},
        *DISJUNCTIONS,
    )
    """The operators of logic, those first that bind least."""
    _nests_to_the_right: ClassVar[frozenset[str]] = frozenset({"implies"})
    _rounding: ClassVar[Mapping[str, str]] = {}
    """The names of divisions that the notation rounds in another way than down."""

    def term(self) -> t.Term:
        return self._logical(0)

    def _logical(self, level: int) -> t.Term:
        if level == len(self._levels):
            return self._negation()
        start = self.here.span
        left = self._logical(level + 1)
        operators = self._levels[level]
        while self.here.text in operators and self.here.kind != "text":
            op = operators[self.take().text]
            right = self._logical(level if op in self._nests_to_the_right else level + 1)
            left = t.Binary(self.since(start), op, left, right)
        return left

    def _negation(self) -> t.Term:
        if self.sees("not", "~", "!"):
            start = self.take().span
            operand = self._negation()
            return t.Unary(self.since(start), "not", operand)
        return self._comparison(0)

    def _comparison(self, level: int) -> t.Term:
        if level == len(_COMPARISONS):
            return self._arithmetic(0)
        start, operators = self.here.span, _COMPARISONS[level]
        left: t.Term = self._comparison(level + 1)
        while self.here.text in operators and (self._membership or self.here.text != "in"):
            op = operators[self.take().text]
            right = self._comparison(level + 1)
            left = t.Binary(self.since(start), op.removeprefix("not"), left, right)
            left = t.Unary(left.span, "not", left) if op == "notin" else left
        return left

    def operand(self) -> t.Term:
        """A term in which `in` is no operator: what comes before it, or a domain."""
        before, self._membership = self._membership, False
        try:
            return self.term()
        finally:
            self._membership = before

    def _arithmetic(self, level: int) -> t.Term:
        if level == len(_ARITHMETIC):
            return self._signed()
        start = self.here.span
        left = self._arithmetic(level + 1)
        while self.here.text in _ARITHMETIC[level]:
            op = _ARITHMETIC[level][self.take().text]
            right = self._arithmetic(level + 1)
            left = t.Binary(self.since(start), self._rounding.get(op, op), left, right)
        return left

    def _signed(self) -> t.Term:
        if self.sees("-"):
            start = self.take().span
            if self.accept(SMV_UNDEF):
                return t.Undef(self.since(start))
            operand = self._signed()
            return t.Unary(self.since(start), "-", operand)
        if self.sees("+"):
            self.take()
            return self._signed()
        return self.primary()

    @abstractmethod
    def primary(self) -> t.Term:
        """What stands between operators."""

    # --- what both notations have ---------------------------------------------------------------------------------

    def simple(self) -> t.Term | None:
        """A number, a truth value, `undef`, a string or a character."""
        token = self.here
        if token.kind == "text":
            self.take()
            return t.Text(token.span, token.text[1:-1], "Char" if token.text.startswith("'") else "String")
        if token.kind == "real":
            value = reduced(Fraction(token.text))
            if max(value.numerator, value.denominator) > MOST_NUMBER:
                raise Misread(self.unsupported(f"a number that needs more than {MOST_NUMBER:,} parts", "round it"))
            self.take()
            return t.Number(token.span, value)
        if token.kind == "number" and int(token.text.rstrip("n")) > MOST_NUMBER:
            raise Misread(self.unsupported(f"a number beyond {MOST_NUMBER:,}", "count in a larger unit"))
        if token.kind == "number":
            self.take()
            return t.Number(token.span, int(token.text.rstrip("n")))
        if self.accept("true", "false"):
            return t.Truth(token.span, token.text == "true")
        if self.accept("undef"):
            return t.Undef(token.span)
        return None

    def called(self) -> t.Name | t.Apply:
        """A name, with arguments if brackets follow."""
        token = self.word("a term")
        if not self.sees("("):
            return t.Name(token.span, token.text)
        args = self.arguments("(", ")")
        return t.Apply(self.since(token.span), token.text, args)

    def arguments(self, opening: str, closing: str) -> tuple[t.Term, ...]:
        self.expect(opening)
        if self.accept(closing):
            return ()
        args = self.inside()
        self.expect(closing, f"separate arguments by commas and end them with {closing!r}")
        return args

    def inside(self) -> tuple[t.Term, ...]:
        """Terms separated by commas, inside brackets of some kind."""
        before, self._membership = self._membership, True
        try:
            return self.separated(self.term, ",")
        finally:
            self._membership = before

    def bracketed(self) -> t.Term:
        """`(a)` is a, `(a, b)` is a tuple."""
        start = self.expect("(").span
        items = self.inside()
        self.expect(")")
        return items[0] if len(items) == 1 else t.Tuple(self.since(start), items)

    def sequence_display(self) -> t.Term:
        start = self.expect("[").span
        items = () if self.sees("]") else self.inside()
        self.expect("]")
        return t.SequenceDisplay(self.since(start), items)

    def if_term(self) -> t.Term:
        start = self.expect("if").span
        test = self.term()
        self.expect("then")
        then = self.term()
        orelse = self.term() if self.accept("else") else None
        if self.sees("elseif"):
            orelse = self._elseif()
        else:
            self.expect("endif", "end every if with endif")
        return t.IfTerm(self.since(start), test, then, orelse)

    def _elseif(self) -> t.Term:
        start = self.take().span
        test = self.term()
        self.expect("then")
        then = self.term()
        if self.sees("elseif"):
            orelse: t.Term | None = self._elseif()
            return t.IfTerm(self.since(start), test, then, orelse)
        orelse = self.term() if self.accept("else") else None
        self.expect("endif", "end every if with endif")
        return t.IfTerm(self.since(start), test, then, orelse)

    def binders(self) -> tuple[t.Binder, ...]:
        return self.separated(self.binder, ",")

    def binder(self) -> t.Binder:
        start = self.here.span
        pattern = self.pattern()
        self.expect("in", "write it like x in D")
        domain = self.operand()
        return t.Binder(self.since(start), pattern, domain)

    def pattern(self) -> t.Term:
        """A name, or a tuple of patterns."""
        start = self.here.span
        if self.accept("_"):
            return t.Wildcard(start)
        if self.accept("("):
            items = self.separated(self.pattern, ",")
            self.expect(")")
            return items[0] if len(items) == 1 else t.Tuple(self.since(start), items)
        return t.Name(start, self.word("a variable").text)

    def restricted(self) -> t.Binder:
        """A pattern, which may be followed by `in` and a set."""
        start = self.here.span
        pattern = self.pattern()
        domain = self.operand() if self.accept("in") else t.Wildcard(start)
        return t.Binder(self.since(start), pattern, domain)

    def restrictions(self) -> tuple[t.Binder, ...]:
        """The parameters of a finiteness constraint."""
        if not self.accept("("):
            return ()
        found = self.separated(self.restricted, ",")
        self.expect(")")
        return found
