"""Declarations of state variables, rewritten so that each variable has a type of its own.

In `state_var A[n] = 2, x(3), y;` what looks like initial values are bit widths, and compilers take no such thing of an
array. Each variable becomes `const ::asset_variable<number, (n)> A{"A", (2)};`, on the line where it was. Macros are
not expanded: what a directive in the middle of a list leaves out is left out as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from asset.errors import ModelRejected
from asset.span import Span

_TOKEN = re.compile(
    r"""(?P<trivia>\s+|//(?:[^\n\\]|\\.)*|/\*.*?\*/)
      | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
      | (?P<string>R"(?P<mark>[^(\s]{0,16})\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:[\w.']|[eEpP][+-])*)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

DEFAULT_WIDTH = "8"
_CLOSING = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int

    @property
    def is_code(self) -> bool:
        return self.kind not in ("trivia", "directive")


@dataclass(frozen=True, slots=True)
class Declarator:
    """A state variable in a declaration: its dimensions and its width as they are written."""

    number: int
    name: str
    dims: tuple[str, ...]
    width: str
    span: Span

    def rewritten(self) -> str:
        dims = "".join(f", ({dim})" for dim in self.dims)
        return f'const ::asset_variable<{self.number}{dims}> {self.name}{{"{self.name}", ({self.width})}};'


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A model's text as a compiler takes it, line by line the same as the original, and its state variables.

    `words` are all names in its code and its directives: it looks at no macro that is not among them. `namespaces` are
    those that the functions of the model may be in.
    """

    text: str
    variables: tuple[Declarator, ...]
    words: frozenset[str]
    namespaces: tuple[str, ...]


def rewrite(text: str, file: str) -> Rewritten:
    """The text with its declarations of state variables rewritten. Those in functions and classes are left alone."""
    return _Rewriter(text, file).run()


class _NoDeclaration(Exception):
    """What follows `state_var` declares no state variables."""


class _Rewriter:
    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._text = text
        self._tokens = [Token(m.lastgroup or "", m[0], m.start()) for m in _tokens(text)]
        self._found: list[Declarator] = []
        self._namespaces: list[str] = []

    def run(self) -> Rewritten:
        pieces: list[str] = []
        at = 0
        scopes: list[bool] = []  # for each open brace, whether it belongs to a namespace
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.text == "{":
                namespace = self._namespace(at)
                if namespace and not scopes and namespace not in self._namespaces:
                    self._namespaces.append(namespace)
                scopes.append(namespace is not None)
            elif token.text == "}" and scopes:
                scopes.pop()
            elif token.kind == "word" and token.text == "state_var" and all(scopes):
                before = len(self._found)
                try:
                    replacement, at = self._list(at + 1)
                    pieces.append(replacement)
                    continue
                except _NoDeclaration:
                    del self._found[before:]
            pieces.append(token.text)
            at += 1
        return Rewritten("".join(pieces), tuple(self._found), self._words(), tuple(self._namespaces))

    def _words(self) -> frozenset[str]:
        texts = (token.text for token in self._tokens if token.kind in ("word", "directive"))
        return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text))

    def _namespace(self, at: int) -> str | None:
        """The name of the namespace that the brace opens; empty if it has no name, as after `extern "C"`; else None."""
        name: list[str] = []
        for token in reversed(self._tokens[:at]):
            if token.text == "namespace":
                return "".join(reversed(name))
            if token.text == "extern":
                return ""
            if token.is_code and token.kind not in ("word", "string") and token.text != ":":
                return None
            name += [token.text] if token.is_code else []
        return None

    def _list(self, at: int) -> tuple[str, int]:
        """The declarations from there on, rewritten, and where they end."""
        pieces: list[str] = []
        while True:
            at = self._skip(at, pieces)
            declared, at = self._declarator(at, pieces)
            self._found.append(declared)
            ending = self._tokens[at].text
            if ending == ";":
                return "".join(pieces), at + 1
            if ending != ",":
                raise _NoDeclaration
            at += 1

    def _skip(self, at: int, pieces: list[str]) -> int:
        """Copies what is between two variables: comments, lines, directives."""
        while at < len(self._tokens) and not self._tokens[at].is_code:
            pieces.append(self._tokens[at].text)
            at += 1
        return at

    def _declarator(self, at: int, pieces: list[str]) -> tuple[Declarator, int]:
        """The variable that is declared there; `pieces` has it rewritten, with as many lines as it had."""
        name = self._at(at)
        if name.kind != "word":
            raise _NoDeclaration
        first, dims, width = at, list[str](), DEFAULT_WIDTH
        at = self._next(at + 1)
        while self._at(at).text == "[":
            dim, at = self._bracketed(at)
            dims.append(dim)
        if self._at(at).text == "=":
            width, at = self._expression(at + 1)
        elif self._at(at).text in ("(", "{"):
            width, at = self._bracketed(at)
        declared = Declarator(len(self._found), name.text, tuple(dims), width, self._span(name))
        inside = self._tokens[first:at]
        self._require_no_directive(inside)
        lines = sum(token.text.count("\n") for token in inside)
        pieces += [declared.rewritten(), "\n" * lines]
        return declared, at

    def _require_no_directive(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token.kind == "directive":
                raise ModelRejected.of(
                    "a directive within the declaration of one state variable",
                    self._span(token),
                    "put it between two variables of the list, or in a line of its own before state_var",
                )

    def _bracketed(self, at: int) -> tuple[str, int]:
        """What is between the bracket there and the one that closes it, and what comes after that."""
        opening = self._at(at).text
        inside, at = self._until(at + 1, (_CLOSING[opening],))
        return inside, self._next(at + 1)

    def _expression(self, at: int) -> tuple[str, int]:
        return self._until(at, (",", ";"))

    def _until(self, at: int, ends: tuple[str, ...]) -> tuple[str, int]:
        """The code up to one of `ends` outside brackets, and where that is."""
        code: list[str] = []
        open_brackets: list[str] = []
        while True:
            token = self._at(at)
            if not open_brackets and token.text in ends:
                return " ".join(code), at
            if token.text in _CLOSING:
                open_brackets.append(_CLOSING[token.text])
            elif open_brackets and token.text == open_brackets[-1]:
                open_brackets.pop()
            if token.is_code:
                code.append(token.text)
            at += 1

    def _next(self, at: int) -> int:
        """The first code from there on."""
        while not self._at(at).is_code:
            at += 1
        return at

    def _at(self, at: int) -> Token:
        if at >= len(self._tokens):
            raise _NoDeclaration
        return self._tokens[at]

    def _span(self, token: Token) -> Span:
        line = self._text.count("\n", 0, token.start) + 1
        column = token.start - (self._text.rfind("\n", 0, token.start) + 1) + 1
        return Span(self._file, line, column, line, column + len(token.text.split("\n")[0]))


def _tokens(text: str) -> Iterator[re.Match[str]]:
    return _TOKEN.finditer(text)


def definition(text: str, file: str, name: str) -> Span:
    """Where the function is defined; the first line if its definition cannot be found."""
    code = "".join(_blank(m) for m in _tokens(text))
    found = re.search(rf"\b{name}\s*\([^;{{}}]*\)[^;{{}}]*\{{", code)
    if found is None:
        return Span(file, 1)
    line = code.count("\n", 0, found.start()) + 1
    column = found.start() - (code.rfind("\n", 0, found.start()) + 1) + 1
    return Span(file, line, column, line, column + len(name))


def _blank(match: re.Match[str]) -> str:
    """Comments, strings and directives become white space of the same size, so that only code is searched."""
    if match.lastgroup in ("word", "number", "sign"):
        return match[0]
    return re.sub(r"[^\n]", " ", match[0])
