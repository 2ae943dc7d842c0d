"""The text of a model in colours: comments, strings, numbers and keywords as spans of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

_PYTHON = """and as assert async await break case class continue def del elif else except False finally for from
global if import in is lambda match None nonlocal not or pass raise return True try while with yield"""

_PROMELA = """active assert atomic bit bool break byte chan d_step do else empty enabled end eval false fi for
full goto hidden if in init inline int len ltl mtype nempty never nfull notrace od of pid printf proctype
provided run select short show skip timeout trace true typedef unless unsigned xr xs"""

_MACHINES = """and asm block case choose controlled default definitions derived do domain dynamic else endblock
endcase enddo endif enum exist external false forall freetype function if ifnone implies import in init
initially invariant iff let main module monitored not of or otherwise over par relation rule seq shared
signature skip static switch then transition true typealias undef with"""

_CPP = """auto bool break case char const continue do double else enum false float for if int long return short
static struct switch template true typedef unsigned void while"""

_KEYWORDS = {".pml": _PROMELA, ".asm": _MACHINES, ".model": _CPP}

_TOKEN = re.compile(
    r"(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<decorator>(?<![\w)\]])@\w+)"
    r"|(?P<number>\b\d\w*\b)"
    r"|(?P<word>\b[A-Za-z_]\w*\b)"
)


def highlighted(file: str, text: str) -> Iterator[str]:
    """The lines of the text; whatever is in it is escaped."""
    ending = Path(file).suffix
    keywords = frozenset(_KEYWORDS.get(ending, _PYTHON).split())
    is_python = ending not in _KEYWORDS
    pattern = re.compile(f"(?P<comment>{'#' if is_python else '//'}.*)|{_TOKEN.pattern}")
    inside = False  # a docstring, or a comment of several lines
    for line in text.splitlines():
        begun, inside = _in_block(line, inside, '"""' if is_python else None)
        yield f'<i class="comment">{escape(line)}</i>' if begun else _line(line, pattern, keywords)


def _in_block(line: str, inside: bool, quotes: str | None) -> tuple[bool, bool]:
    """Whether the line belongs to a block that is not code, and whether the next one does."""
    if quotes is not None:
        marks = line.count(quotes)
        return inside or line.lstrip().startswith(quotes), inside != (marks % 2 == 1)
    begun = inside or line.lstrip().startswith("/*")
    return begun, begun and "*/" not in line


def _line(line: str, pattern: re.Pattern[str], keywords: frozenset[str]) -> str:
    parts, at = [], 0
    for token in pattern.finditer(line):
        kind = token.lastgroup
        if kind == "word":
            kind = "keyword" if token.group() in keywords else None
        parts.append(escape(line[at : token.start()]))
        parts.append(f'<i class="{kind}">{escape(token.group())}</i>' if kind else escape(token.group()))
        at = token.end()
    return "".join((*parts, escape(line[at:])))
