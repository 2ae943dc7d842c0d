"""What is wrong with a machine: all of it is gathered, and each thing ends only what it is in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from asset.errors import Diagnostic
from asset.span import Span


class Rejected(Exception):
    """A part of a machine cannot be given a meaning."""

    def __init__(self, message: str, span: Span, remedy: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(message, span, remedy)


class Poisoned(Rejected):
    """A part of a machine uses something that is wrong and was reported already."""


def wrong_number(name: str, wanted: int, given: int, span: Span) -> Rejected:
    """A function or a rule is given too many arguments, or too few."""
    shown = {0: "no argument", 1: "1 argument"}.get(wanted, f"{wanted} arguments")
    return Rejected(f"{name} takes {shown}, and is given {given}", span, f"give it {shown}")


class Problems:
    def __init__(self) -> None:
        self._found: dict[tuple[str, Span | None], Diagnostic] = {}

    def add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault((diagnostic.message, diagnostic.span), diagnostic)

    def __bool__(self) -> bool:
        return bool(self._found)

    def in_order(self) -> list[Diagnostic]:
        return sorted(self._found.values(), key=_place)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """What is rejected inside is noted, and ends only that."""
        try:
            yield
        except Poisoned:
            pass
        except Rejected as rejected:
            self.add(rejected.diagnostic)
        except OverflowError:
            message = "the fractions of the machine have no common denominator below 134,217,728"
            self.add(Diagnostic(message, None, "round them"))
        except RecursionError:
            self.add(Diagnostic("functions or rules of the machine call themselves, or are nested too deeply"))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return (span.file, span.line, span.column) if span else ("", 0, 0)
