"""Standard output as it is: a terminal or a pipe, wide or narrow, with or without colours and Unicode."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
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
    """Colours are for terminals, and for whatever else if FORCE_COLOR is set (but to 0); never if NO_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    return is_terminal(stream) or os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false")


def knows_links(stream: TextIO) -> bool:
    """Whether the stream is a terminal that is known to open links; others might show them as rubbish."""
    named = os.environ.get("TERM_PROGRAM") in ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby")
    version = os.environ.get("VTE_VERSION", "")
    gnome = version.isdecimal() and int(version) >= 5000
    others = any(
        os.environ.get(name) for name in ("KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "FORCE_HYPERLINK")
    )
    return is_terminal(stream) and (named or gnome or others)


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
    return coloured(lines, knows_links(stream)) if wants_colour(stream) else plain(lines)


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


def print_text(text: str) -> None:
    """Standard output has the text and a line end."""
    with reader_may_leave():
        write(text, sys.stdout)


class LenientStream(io.TextIOBase):
    """A stream that takes whatever is written to it: if nobody can read it, that is no reason to end differently."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    def isatty(self) -> bool:
        with suppress(OSError, ValueError):
            return self._stream.isatty()
        return False

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except (OSError, ValueError):  # full, hung up or closed
            abandon(self._stream)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError):
            abandon(self._stream)


@contextmanager
def standard_streams() -> Iterator[None]:
    """Inside, all three are there, also if the shell closed them (`>&-`); they take every character, and writing to
    standard error never fails."""
    _open_missing_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.closed:  # exit() closes standard input
            stream.reconfigure(errors="backslashreplace")
    before = sys.stderr
    sys.stderr = LenientStream(before)
    try:
        yield
        sys.stderr.flush()
    finally:
        sys.stderr = before


def _open_missing_streams() -> None:
    """Otherwise the next file that is opened would get the number of a stream, and what is written to the stream."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            while os.open(os.devnull, os.O_RDWR) < number:
                pass
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (it lives as long as we do)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Inside, it is no error if the reader of standard output has left (`| head -1`); a full disk is one."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
    except OSError as error:
        abandon(sys.stdout)
        raise UsageError.of(f"cannot write to standard output: {error.strerror or error}") from None
    except ValueError:
        if not sys.stdout.closed:
            raise
        raise UsageError.of("cannot write to standard output: it has been closed, by the model perhaps") from None


def abandon(stream: TextIO) -> None:
    """Python flushes its streams once more at its exit: that must not fail, or it would change the exit status."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
