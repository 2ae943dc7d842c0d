"""Standard output as it is: a terminal or a pipe, wide or narrow, with or without colours and Unicode."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from asset.errors import UsageError
from asset.report.document import Line, coloured, plain
from asset.report.text import WIDTH

WIDEST = 120
"""Lines longer than this are hard to read, however wide the terminal."""

_ASCII = str.maketrans(
    {"—": "-", "→": "->", "✓": "+", "✗": "x", "─": "-", "⋮": ":", "…": "...", "┌": "+", "│": "|", "└": "+"}
)


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at the stream through something that understands escape codes."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def wants_colour(stream: TextIO) -> bool:
    """Colours are for terminals, unless NO_COLOR is set and not empty."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def columns(stream: TextIO) -> int:
    """How wide lines to the stream may be: as its terminal or COLUMNS says, within reason."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return min(int(asked), WIDEST)
    try:
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        width = 0
    return min(width or 80, WIDEST)


def width(stream: TextIO) -> int:
    """How wide a report to the stream is: in a pipe always the same, whatever terminal there is."""
    return columns(stream) if is_terminal(stream) else WIDTH


def dressed(lines: Iterable[Line], stream: TextIO) -> str:
    """The lines as text, in colours if the stream wants them."""
    return coloured(lines) if wants_colour(stream) else plain(lines)


def write(text: str, stream: TextIO) -> None:
    """The stream has the text and a line end, in ASCII if its encoding lacks some of the characters."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def tell(lines: Iterable[Line]) -> None:
    """Standard output has the lines."""
    with reader_may_leave():
        write(dressed(lines, sys.stdout), sys.stdout)


def open_missing_streams() -> None:
    """Python has no stream if the shell closed it (`>&-`); afterwards there is one, which leads nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (it lives as long as we do)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Inside, it is no error if the reader of standard output has left (`| head -1`); a full disk is one."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
    except OSError as error:
        _abandon_stdout()
        raise UsageError.of(f"cannot write to standard output: {error.strerror or error}") from None


def _abandon_stdout() -> None:
    """Python flushes standard output once more at its exit: that must not fail, or it would change the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
