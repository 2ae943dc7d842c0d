"""Where an expression over a model ends inside a formula's text.

An expression is a chain of operands and operators of arithmetic and comparison; an operand is a name with indices,
fields and arguments, a number, a quoted word, or anything in brackets. Logic is what stands between expressions.
"""

from __future__ import annotations

import re

OPERATOR = re.compile(r"\s*(==|!=|<=|>=|<(?!>|->)|>|=(?!>)|\+|-(?!>)|\*\*?|//|/(?!\\)|%|(?:not\s+)?in\b)")
NAME = re.compile(r"\s*([^\W\d]\w*|\d[\w.]*)")
FIELD = re.compile(r"\s*\.\s*[^\W\d]\w*")
SIGNS = re.compile(r"\s*[-+]*\s*")
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Unreadable(Exception):
    """Something is wrong with the text at a place: what, and what to do about it."""

    def __init__(self, start: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.start, self.message, self.remedy = start, message, remedy


def expression_end(text: str, start: int) -> int:
    """The end of the longest expression at `start`; no more than `start` if there is none."""
    end = _operand_end(text, start)
    while end > start and (operator := OPERATOR.match(text, end)):
        after = _operand_end(text, operator.end())
        if after == operator.end():
            remedy = "write an expression of the model after it, as in x + 1 < 3"
            raise Unreadable(operator.start(1), f"nothing to the right of {operator[1]}", remedy)
        end = after
    return end


def is_joined(text: str, start: int) -> bool:
    """Whether the expression at `start` is made of several by an operator."""
    return _operand_end(text, start) < expression_end(text, start)


def continues(text: str, end: int) -> bool:
    """Whether what ends here is part of a longer expression: `(x + 1) < 3`, `(a).b`."""
    return OPERATOR.match(text, end) is not None or _postfix_end(text, end) != end


def closing(text: str, opening: int) -> int:
    """The place of the bracket that closes the one at `opening`."""
    stack: list[int] = []
    at = opening
    while at < len(text):
        c = text[at]
        if c in "\"'":
            at = quoted_end(text, at)
            continue
        if c in CLOSING:
            stack.append(at)
        elif c in CLOSING.values():
            if CLOSING[text[stack[-1]]] != c:
                opened = text[stack[-1]]
                raise Unreadable(at, f"{c} closes what {opened} opened", f"close {opened} with {CLOSING[opened]}")
            stack.pop()
            if not stack:
                return at
        at += 1
    opened = text[stack[-1]]
    raise Unreadable(stack[-1], f"{opened} is never closed", f"close it with {CLOSING[opened]}")


def quoted_end(text: str, start: int) -> int:
    """The place after the closing quote."""
    end = text.find(text[start], start + 1)
    if end < 0:
        raise Unreadable(start, "a quote is never closed", f"close it with {text[start]}")
    return end + 1


def _operand_end(text: str, start: int) -> int:
    signs = SIGNS.match(text, start)
    at = signs.end() if signs else start
    if at < len(text) and text[at] in "({":
        end = closing(text, at) + 1
    elif at < len(text) and text[at] in "\"'":
        end = quoted_end(text, at)
    elif name := NAME.match(text, at):
        end = name.end()
    else:
        return start
    return _postfix_end(text, end)


def _postfix_end(text: str, end: int) -> int:
    """Past indices, fields and arguments. `[]` is not an index: it is an operator of the logic."""
    while True:
        if field := FIELD.match(text, end):
            end = field.end()
        elif text[end : end + 1] in ("[", "(") and text[end : end + 2] != "[]":
            end = closing(text, end) + 1
        else:
            return end


def in_python(text: str) -> str:
    """The expression with Python's notation for SMV's `=` and `1..3`, and on one line."""
    pieces = re.split(r"(\"[^\"]*\"|'[^']*')", text)
    pieces[::2] = map(_outside_quotes, pieces[::2])
    return "".join(pieces)


def _outside_quotes(text: str) -> str:
    equal = re.sub(r"(?<![=!<>])=(?!=)", "==", re.sub(r"\s+", " ", text))
    return re.sub(r"\b(\d+)\.\.(\d+)\b", lambda span: f"range({span[1]}, {int(span[2]) + 1})", equal)
