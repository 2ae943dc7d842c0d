"""Formulas from text, in the notation of SPIN or of SMV: one grammar that has the words and symbols of both.

Atoms are expressions over a model, which are not understood here: each is handed out as its text with its place.
Arithmetic and comparison bind tighter than logic. What SPIN and SMV would read differently (`p U q U r`, `p -> q ->
r`), or both differently from what Python's words say (`!x == 3`), must be in brackets.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from asset.errors import UsageError
from asset.logic.expressions import Unreadable, closing, continues, expression_end, in_python, is_joined, quoted_end
from asset.logic.formulas import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)
from asset.span import Span

DEEPEST = 150
"""How deep brackets and operators may be nested."""


@dataclass(frozen=True, slots=True)
class Expression:
    """The key of an atom that was read: its text in Python's notation. The same text is the same atom."""

    text: str
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return self.text


Unary = Callable[[Formula], Formula]
Binary = Callable[[Formula, Formula], Formula]

NEGATIONS = ("!", "~")
UNARY: dict[str, Unary] = {
    **dict.fromkeys((*NEGATIONS, "not"), Not),
    **dict.fromkeys(("X", "next"), Next),
    **dict.fromkeys(("F", "<>", "eventually"), Eventually),
    **dict.fromkeys(("G", "[]", "always"), Always),
}
TEMPORAL: dict[str, Binary] = {
    **dict.fromkeys(("U", "until"), Until),
    **dict.fromkeys(("W", "weakuntil"), WeakUntil),
    **dict.fromkeys(("R", "V", "release"), Release),
    "M": StrongRelease,
}
QUANTIFIERS: dict[str, Unary] = {"A": ForAll, "E": Exists}
PAIRS = {q + op: (QUANTIFIERS[q], UNARY[op]) for q in "AE" for op in "XFG"}
CONSTANTS = {"true": TRUE, "TRUE": TRUE, "True": TRUE, "false": FALSE, "FALSE": FALSE, "False": FALSE}

AND = ("&&", "&", "/\\", "and")
OR = ("||", "|", "\\/", "or")
XOR = ("xor", "^")
IMPLIES = ("->", "implies")
IFF = ("<->", "equivalent")

SPACE = re.compile(r"\s*")
WORD = re.compile(r"[^\W\d]\w*")
SYMBOL = re.compile(r"<->|->|<>|\[\]|&&|\|\||/\\|\\/|[!~&|^()\[\]]")
STARTS = re.compile(r"\s*(?:[\w(!~\"']|\[\]|<>)")


def parse_ltl(text: str, source: str = "--ltl") -> Formula:
    """An LTL formula whose atoms have an `Expression` as their key. `source` names the text in messages."""
    return _parsed(text, source, branching=False)


def parse_ctl(text: str, source: str = "--ctl") -> Formula:
    """A CTL formula, in the same way."""
    return _parsed(text, source, branching=True)


def _parsed(text: str, source: str, branching: bool) -> Formula:
    parser = _Parser(text, source, branching)
    try:
        return parser.whole()
    except Unreadable as wrong:
        raise UsageError.of(wrong.message, parser.span(wrong.start), wrong.remedy) from None


_numbers: dict[str, dict[str, int]] = {}
"""The texts that were read, by what they were given with, numbered from 1."""


def _file_of(source: str, text: str) -> str:
    """The name under which a text can be shown by its lines: each text has a name of its own."""
    numbers = _numbers.setdefault(source, {})
    number = numbers.setdefault(text, len(numbers) + 1)
    name = source if number == 1 else f"formula {number} of {source}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True) or [""], name)
    return name


class _Parser:
    """Recursive descent on the text itself: only what stands before a place says whether it can begin an expression."""

    def __init__(self, text: str, source: str, branching: bool) -> None:
        self._text = text
        self._file = _file_of(source, text)
        self._branching = branching
        self._at = 0
        self._depth = 0

    def span(self, start: int, end: int | None = None) -> Span:
        """A place in the text, which can be shown with its line."""
        before = self._text[:start]
        line, column = before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1
        return Span(self._file, line, column, line, column + max(1, (end or start + 1) - start))

    def whole(self) -> Formula:
        if not self._text.strip():
            raise Unreadable(0, "the formula is empty", "write one, for example: G (p -> F q)")
        formula = self._formula()
        if self._peek():
            self._reject_rest()
        return formula

    def _reject_rest(self) -> None:
        found = self._peek()
        if found in (")", "]"):
            raise Unreadable(self._at, f"{found} closes nothing", "remove it, or open it before")
        if self._branching and found in TEMPORAL:
            remedy = f"write A[p {found} q] for all runs, or E[p {found} q] for some run"
            raise Unreadable(self._at, f"in CTL {found} needs a path quantifier", remedy)
        start = self._at
        remedy = "join the two by an operator: & | -> <-> U W R"
        if not self._branching and re.search(r"\b(A|E|[AE][GFX])\s*$", self._text[:start]):
            remedy = "path quantifiers are of CTL: use --ctl"
        raise Unreadable(start, f"an operator is missing before {self._text[start : start + 12].split()[0]}", remedy)

    # --- reading

    def _peek(self) -> str:
        """The word or symbol at the place, after spaces; nothing at the end."""
        space = SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        found = SYMBOL.match(self._text, self._at) or WORD.match(self._text, self._at)
        return found[0] if found else self._text[self._at : self._at + 1]

    def _take(self, *words: str) -> str:
        """Goes past one of the words if it stands here, and gives it."""
        found = self._peek()
        if found not in words:
            return ""
        self._at += len(found)
        return found

    def _expect(self, bracket: str, opened_at: int) -> None:
        if not self._take(bracket):
            if self._peek():
                self._reject_rest()
            raise Unreadable(opened_at, f"{self._text[opened_at]} is never closed", f"close it with {bracket}")

    # --- grammar, from loose to tight

    def _formula(self) -> Formula:
        formula = self._disjunction()
        first = self._take(*IMPLIES, *IFF)
        if not first:
            return formula
        result = self._joined(first, formula, self._disjunction())
        while self._peek() in (*IMPLIES, *IFF):
            start = self._at
            operator = self._take(*IMPLIES, *IFF)
            if operator in IMPLIES or first in IMPLIES:
                message = f"{first} and then {operator} can be read in two ways"
                raise Unreadable(start, message, "put brackets: (p -> q) -> r, or p -> (q -> r)")
            result = Iff(result, self._disjunction())
        return result

    def _joined(self, operator: str, left: Formula, right: Formula) -> Formula:
        return Implies(left, right) if operator in IMPLIES else Iff(left, right)

    def _disjunction(self) -> Formula:
        parts = [self._conjunction()]
        while operator := self._take(*OR, *XOR):
            right = self._conjunction()
            if operator in XOR:
                parts = [Not(Iff(_or(parts), right))]
            else:
                parts.append(right)
        return _or(parts)

    def _conjunction(self) -> Formula:
        parts = [self._temporal()]
        while self._take(*AND):
            parts.append(self._temporal())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _temporal(self) -> Formula:
        left = self._unary()
        if self._branching:
            return left
        operator = self._take(*TEMPORAL)
        if not operator:
            return left
        result = TEMPORAL[operator](left, self._unary())
        if (again := self._peek()) in TEMPORAL:
            message = f"{operator} and then {again} can be read in two ways"
            raise Unreadable(self._at, message, "put brackets: (p U q) U r as SPIN reads it, or p U (q U r)")
        return result

    def _unary(self) -> Formula:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable(self._at, "the formula is nested too deeply", f"at most {DEEPEST} levels can be read")
        formula = self._primary()
        self._depth -= 1
        return formula

    def _primary(self) -> Formula:
        word, start = self._peek(), self._at
        if self._branching and word in PAIRS:
            self._at += len(word)
            quantifier, operator = PAIRS[word]
            return quantifier(operator(self._unary()))
        if self._branching and word in QUANTIFIERS:
            return self._quantified(word)
        if word in UNARY:
            if self._branching and UNARY[word] is not Not:
                remedy = "write A before it for all runs, or E for some run: AG p, EF p"
                raise Unreadable(start, f"in CTL {word} needs a path quantifier", remedy)
            self._at += len(word)
            return UNARY[word](self._unary())
        if not self._branching and re.fullmatch("[GFX]{2,}", word) and STARTS.match(self._text, start + len(word)):
            self._at += 1  # GF p is G F p
            return UNARY[word[0]](self._unary_rest())
        if word in CONSTANTS and not continues(self._text, start + len(word)):
            self._at += len(word)
            return CONSTANTS[word]
        if word == "(" and not continues(self._text, closing(self._text, start) + 1):
            self._at += 1
            formula = self._formula()
            self._expect(")", start)
            return formula
        return self._atom(word, start)

    def _unary_rest(self) -> Formula:
        """The rest of a word such as GF: each letter is an operator."""
        letter = self._text[self._at]
        if letter in "GFX" and self._at > 0:
            self._at += 1
            return UNARY[letter](self._unary_rest())
        return self._unary()

    def _quantified(self, word: str) -> Formula:
        """A[p U q]."""
        self._at += 1
        opened_at = self._at
        bracket = self._take("[", "(")
        if not bracket:
            remedy = f"write {word}G, {word}F, {word}X or {word}[p U q]"
            raise Unreadable(opened_at - 1, f"{word} is a path quantifier of CTL", remedy)
        left = self._formula()
        operator = self._take(*TEMPORAL)
        if not operator:
            raise Unreadable(self._at, f"{word}{bracket} needs U, W or R", f"write {word}[p U q]")
        right = self._formula()
        self._expect("]" if bracket == "[" else ")", opened_at)
        return QUANTIFIERS[word](TEMPORAL[operator](left, right))

    def _atom(self, word: str, start: int) -> Formula:
        if not word:
            raise Unreadable(start, "the formula ends too early", "write what is to hold after the last operator")
        if word in TEMPORAL or word in (*AND, *OR, *XOR, *IMPLIES, *IFF, ")", "]"):
            raise Unreadable(start, f"nothing to the left of {word}", "write an expression or a formula before it")
        end = expression_end(self._text, start)
        if end == start:
            raise Unreadable(
                start, f"{word} begins no expression", "put an expression of Python in quotes if it must be"
            )
        if self._text[:start].rstrip().endswith(NEGATIONS) and is_joined(self._text, start):
            message = f"! before {self._text[start:end]} can be read in two ways"
            raise Unreadable(start, message, f"put brackets: !({self._text[start:end]})")
        self._at = end
        inner = start, end
        if word in "\"'" and quoted_end(self._text, start) == end:
            inner = start + 1, end - 1
        text = self._text[slice(*inner)]
        lead = len(text) - len(text.lstrip())
        return Atom(Expression(in_python(text.strip()), self.span(inner[0] + lead, inner[1])))


def _or(parts: list[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))
