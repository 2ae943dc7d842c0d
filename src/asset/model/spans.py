"""Where in the user's source something is being done, found from the running Python code."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, FunctionType, TracebackType

from asset.span import Span

_OWN = str(Path(__file__).parent.parent) + os.sep
_LIBRARY = _OWN + "channels.py"  # written in the modelling language: what goes wrong there is shown there
_FOREIGN = (_OWN, sysconfig.get_path("stdlib") + os.sep, "<")


def character_column(file: str, line: int, byte_column: int) -> int:
    """The 1-based column in characters of a 0-based offset into the line's UTF-8 text."""
    text = linecache.getline(file, line)
    if text.isascii():
        return min(byte_column, len(text)) + 1
    return len(text.encode()[:byte_column].decode(errors="replace")) + 1


def span_of(file: str, line: int, end_line: int, columns: tuple[int, int]) -> Span:
    """A span from Python's own coordinates: columns are offsets into UTF-8 text."""
    start, end = columns
    return Span(file, line, character_column(file, line, start), end_line, character_column(file, end_line, end))


def user_span() -> Span | None:
    """The place in the user's code that led here: the innermost frame outside of this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_users(frame.f_code):
        frame = frame.f_back
    return None if frame is None else instruction_span(frame.f_code, frame.f_lasti, frame.f_lineno)


def is_users(code: CodeType) -> bool:
    """Whether the code is outside of this package."""
    return not code.co_filename.startswith(_OWN) or code.co_filename == _LIBRARY


def instruction_span(code: CodeType, instruction: int, line: int) -> Span:
    """The piece of source that the instruction was compiled from."""
    positions = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    first, last, start, end = positions
    if first is None or last is None or start is None or end is None:
        return Span(code.co_filename, line)
    return span_of(code.co_filename, first, last, (start, end))


def traceback_span(trace: TracebackType | None) -> Span | None:
    """The innermost place in the user's code that an exception came through."""
    place = None
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(_FOREIGN) or code.co_filename == _LIBRARY:
            place = instruction_span(code, trace.tb_lasti, trace.tb_lineno)
        trace = trace.tb_next
    return place


def definition_span(function: FunctionType) -> Span:
    """The line of `def` (or of its first decorator)."""
    return line_span(function.__code__.co_filename, function.__code__.co_firstlineno)


def class_span(cls: type) -> Span | None:
    """The line of the class, if it can be found."""
    try:
        _, before = inspect.findsource(cls)  # not `getsourcelines`: it reads the class to its end
        return line_span(inspect.getsourcefile(cls) or "", before + 1)
    except (OSError, TypeError):
        return None


def line_span(file: str, line: int) -> Span:
    """The text of a line without its indentation."""
    text = linecache.getline(file, line).rstrip()
    start = len(text) - len(text.lstrip()) + 1
    return Span(file, line, start, line, max(len(text), start) + 1)
