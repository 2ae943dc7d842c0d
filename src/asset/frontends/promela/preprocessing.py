"""The C preprocessor, as far as models use it: macros, conditions and included files.

It works on tokens, so that what a macro was replaced by is at the place of its use in the user's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from asset.errors import ModelRejected
from asset.frontends.promela.lexing import Kind, Token, tokens_of, unreadable
from asset.span import Span

DEEPEST = 50
"""How deep files may include each other."""

REST = "__VA_ARGS__"
"""The parameter that `...` is: all arguments that are left."""


@dataclass(frozen=True, slots=True)
class Macro:
    """What a name is replaced by; `parameters` is None if it is used without brackets."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


@dataclass(slots=True)
class Preprocessed:
    """The tokens of a model, without directives and ends of lines, and what they came from."""

    tokens: list[Token] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    mentioned: set[str] = field(default_factory=set)
    """Every name that occurs anywhere, in directives too."""
    collections: bool = False
    """Whether the model asks for sets and queues: `#pragma asset collections`."""


def preprocess(file: str, given: Mapping[str, str]) -> Preprocessed:
    """The model in the file. A macro that is given has its value whatever the file defines it to be."""
    run = _Preprocessor(given)
    run.include(Path(file), 0)
    return run.result


class _Preprocessor:
    def __init__(self, given: Mapping[str, str]) -> None:
        self.result = Preprocessed()
        self._given = frozenset(given)
        self._macros = {name: Macro(None, _given(name, value)) for name, value in given.items()}
        self._conditions: list[_Condition] = []

    def include(self, path: Path, depth: int) -> None:
        self.result.files.append(str(path))
        lines = _lines(tokens_of(path.read_text("utf-8-sig", errors="replace"), str(path)))
        open_before, text = len(self._conditions), list[Token]()
        for line in lines:
            if line and line[0].text == "#" and line[0].kind is Kind.OPERATOR:
                self._flush(text)
                self._directive(line, path, depth)
            elif self._active:
                _require_readable(line)
                self.result.mentioned.update(t.text for t in line)
                text += line
        self._flush(text)
        if len(self._conditions) > open_before:
            raise ModelRejected.of("this condition does not end", self._conditions[-1].span, "end it with #endif")
        if depth == 0:
            end = self.result.tokens[-1].span if self.result.tokens else Span(str(path), 1)
            self.result.tokens.append(Token(Kind.END, "", end))

    @property
    def _active(self) -> bool:
        return all(condition.holds for condition in self._conditions)

    def _flush(self, text: list[Token]) -> None:
        """Macros may have arguments on several lines, so text is expanded from one directive to the next."""
        self.result.tokens += self._expanded(text)
        text.clear()

    # --- directives ---------------------------------------------------------------------------------------------------

    def _directive(self, line: list[Token], path: Path, depth: int) -> None:
        if len(line) == 1 or line[1].kind is Kind.NUMBER:  # `# 1 "file"`, which a preprocessor left there
            return
        word, rest = line[1], line[2:]
        self.result.mentioned.update(t.text for t in rest)
        if word.text in ("if", "ifdef", "ifndef"):
            holds = self._active and self._test(word, rest)
            self._conditions.append(_Condition(word.span, holds, holds or not self._active))
        elif word.text in ("elif", "else", "endif"):
            self._continue(word, rest)
        elif not self._active:
            return
        elif word.text == "define":
            _require_readable(rest)
            self._define(word, rest)
        elif word.text == "undef":
            self._macros.pop(_name(word, rest).text, None)
        elif word.text == "include":
            self._include(word, rest, path, depth)
        elif word.text == "error":
            raise ModelRejected.of(" ".join(t.text for t in rest) or "#error", word.span, "the model says so itself")
        elif word.text == "pragma" and [t.text for t in rest] == ["asset", "collections"]:
            self.result.collections = True
        elif word.text not in ("pragma", "warning", "line", "ident"):
            remedy = "define, undef, include, if, ifdef, ifndef, elif, else and endif are known"
            raise ModelRejected.of(f"there is no directive #{word.text}", word.span, remedy)

    def _continue(self, word: Token, rest: list[Token]) -> None:
        if not self._conditions:
            raise ModelRejected.of(f"#{word.text} without #if", word.span, "remove it")
        if word.text == "endif":
            self._conditions.pop()
            return
        condition = self._conditions[-1]
        condition.holds = False
        if not condition.decided:
            condition.holds = word.text == "else" or self._test(word, rest)
            condition.decided = condition.holds

    def _test(self, word: Token, rest: list[Token]) -> bool:
        if word.text in ("ifdef", "ifndef"):
            return (_name(word, rest).text in self._macros) == (word.text == "ifdef")
        if not rest:
            raise ModelRejected.of(f"#{word.text} without a condition", word.span, "say what must hold")
        from asset.frontends.promela.constants import condition

        return condition(self._expanded(list(self._resolved(rest))), word.span)

    def _resolved(self, line: list[Token]) -> Iterator[Token]:
        """The tokens of a condition, in which `defined` is answered."""
        at = 0
        while at < len(line):
            token = line[at]
            at += 1
            if token.text != "defined":
                yield token
                continue
            bracket = at < len(line) and line[at].text == "("
            name = _name(token, line[at + bracket :])
            at += 1 + 2 * bracket
            yield Token(Kind.NUMBER, str(int(name.text in self._macros)), token.span)

    def _define(self, word: Token, rest: list[Token]) -> None:
        name, body, parameters = _name(word, rest), rest[1:], None
        if body and body[0].text == "(" and body[0].span.column == name.span.end_column:
            close = next((k for k, t in enumerate(body) if t.text == ")"), None)
            if close is None:
                raise ModelRejected.of("the parameters of this macro do not end", body[0].span, "end them with )")
            parameters = tuple(t.text for t in body[1:close] if t.text != ",")
            if parameters[-2:] == ("..", "."):
                parameters = (*parameters[:-2], REST)
            body = body[close + 1 :]
        if name.text not in self._given:
            self._macros[name.text] = Macro(parameters, tuple(body))

    def _include(self, word: Token, rest: list[Token], path: Path, depth: int) -> None:
        if not rest or rest[0].kind is not Kind.STRING:
            raise ModelRejected.of("#include takes a file in quotes", word.span, 'write it like #include "part.pml"')
        target = path.parent / rest[0].text[1:-1]
        if not target.is_file():
            raise ModelRejected.of(f"there is no file {target}", rest[0].span, f"files are looked for beside {path}")
        if depth == DEEPEST:
            raise ModelRejected.of("files include each other without end", rest[0].span, "guard it with #ifndef")
        self.include(target, depth + 1)

    # --- macros -------------------------------------------------------------------------------------------------------

    def _expanded(self, text: Sequence[Token]) -> list[Token]:
        pending, done = list(reversed(text)), list[Token]()
        while pending:
            token = pending.pop()
            macro = self._macros.get(token.text) if token.kind is Kind.NAME else None
            if macro is None or token.text in token.hidden:
                done.append(token)
            elif macro.parameters is None:
                hidden = token.hidden | {token.text}
                pending += [t.at(token.span, hidden) for t in reversed(_joined(macro.body))]
            elif pending and pending[-1].text == "(":
                pending += reversed(self._called(token, macro, pending))
            else:
                done.append(token)
        return done

    def _called(self, token: Token, macro: Macro, pending: list[Token]) -> list[Token]:
        assert macro.parameters is not None
        arguments, closing = _arguments(token, pending)
        if macro.parameters == () and arguments == [[]]:
            arguments = []
        if macro.parameters[-1:] == (REST,):
            arguments = _with_rest(arguments, len(macro.parameters) - 1, token.span)
        if len(arguments) != len(macro.parameters):
            said = f"the macro {token.text} takes {len(macro.parameters)} argument(s), and is given {len(arguments)}"
            raise ModelRejected.of(said, token.span, "give as many as it takes")
        given = dict(zip(macro.parameters, arguments, strict=True))
        body = list[Token]()
        for k, t in enumerate(macro.body):
            joined = "##" in (each.text for each in (*macro.body[max(k - 1, 0) : k], *macro.body[k + 1 : k + 2]))
            if t.text in given and body and body[-1].text == "#":  # a text, and a part of a name, is what is written
                body[-1] = Token(Kind.STRING, f'"{" ".join(v.text for v in given[t.text])}"', token.span)
            elif t.text in given:
                written = given[t.text] or [Token(Kind.NAME, "", token.span)]  # so that ## has two sides
                body += written if joined else self._expanded(given[t.text])
            else:
                body.append(t.at(token.span, frozenset()))
        hidden = (token.hidden & closing.hidden) | {token.text}  # as in C
        return [t.at(t.span, hidden) for t in _joined(body)]


@dataclass(slots=True)
class _Condition:
    span: Span
    holds: bool
    decided: bool
    """Whether a branch was taken already."""


def _require_readable(line: Sequence[Token]) -> None:
    stray = next((token for token in line if token.kind is Kind.STRAY), None)
    if stray is not None:
        raise unreadable(stray)


def _with_rest(arguments: list[list[Token]], count: int, span: Span) -> list[list[Token]]:
    """The first arguments, and all others as one."""
    rest: list[Token] = []
    for k, argument in enumerate(arguments[count:]):
        rest += [Token(Kind.OPERATOR, ",", span), *argument] if k else argument
    return [*arguments[:count], rest]


def _given(name: str, value: str) -> tuple[Token, ...]:
    tokens = list(tokens_of(value, f"-D {name}"))
    _require_readable(tokens)
    return tuple(t for t in tokens if t.kind not in (Kind.NEWLINE, Kind.END))


def _lines(tokens: Iterator[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in tokens:
        if token.kind is Kind.NEWLINE:
            yield line
            line = []
        elif token.kind is not Kind.END:
            line.append(token)


def _name(word: Token, rest: Sequence[Token]) -> Token:
    if not rest or rest[0].kind is not Kind.NAME:
        raise ModelRejected.of(f"{word.text} needs the name of a macro", word.span, "write a name behind it")
    return rest[0]


def _arguments(token: Token, pending: list[Token]) -> tuple[list[list[Token]], Token]:
    """The arguments of a macro, taken from what is pending, and the bracket that closes them."""
    pending.pop()
    arguments, depth = [list[Token]()], 1
    while pending:
        part = pending.pop()
        depth += (part.text == "(") - (part.text == ")") if part.kind is Kind.OPERATOR else 0
        if depth == 0:
            return arguments, part
        if part.text == "," and depth == 1:
            arguments.append([])
        else:
            arguments[-1].append(part)
    raise ModelRejected.of(f"the arguments of the macro {token.text} do not end", token.span, "end them with )")


def _joined(body: Sequence[Token]) -> list[Token]:
    """`a ## b` is one token."""
    joined: list[Token] = []
    parts = iter(body)
    for token in parts:
        if token.text == "##" and joined and (after := next(parts, None)) is not None:
            before = joined.pop()
            joined.append(Token(before.kind, before.text + after.text, before.span, before.hidden))
        else:
            joined.append(token)
    return [token for token in joined if token.text]
