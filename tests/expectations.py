"""Reads what a model file says of itself: the `# expect:` lines in its head.

A line names the class where the file has several, then the parameters, then the outcome:

    # expect: n=3: holds, 468 states, 1350 edges, 3 terminal
    # expect: PetersonSwapped n=2: violated mutual_exclusion, 336 states, 602 edges, 17 steps

Whatever is left out is not expected to be anything in particular. `steps` counts the transitions of the counterexample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_PREFIX = "# expect:"
_LINE = re.compile(
    r"(?:(?P<subject>[^:]+):\s+)?"
    r"(?P<verdict>holds|violated|undecided)(?:\s+(?P<property>\w+))?"
    r"(?P<counts>(?:,\s+\d+\s+(?:states|edges|terminal|steps))*)"
)
_COUNT = re.compile(r"(\d+)\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one line says; None where it is silent."""

    file: Path
    line: int
    class_name: str | None
    params: dict[str, str] = field(hash=False)
    verdict: str
    property: str | None = None
    states: int | None = None
    edges: int | None = None
    terminal: int | None = None
    steps: int | None = None

    def model(self) -> str:
        """The model as it is named on the command line: `file.py` or `file.py:Class`."""
        return f"{self.file}:{self.class_name}" if self.class_name else str(self.file)

    def __str__(self) -> str:
        """A short name for a test: `peterson:Peterson n=2`."""
        subject = f"{self.file.stem}:{self.class_name}" if self.class_name else self.file.stem
        return " ".join([subject, *(f"{name}={value}" for name, value in self.params.items())])


class MalformedExpectation(ValueError):
    """An `# expect:` line that says nothing we can check."""


def expectations_of(file: Path) -> list[Expectation]:
    """The expectations in the file, in their order."""
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
    return [parse(file, number, text[len(_PREFIX) :]) for number, text in lines if text.startswith(_PREFIX)]


def expectations_in(folder: Path) -> Iterator[Expectation]:
    """The expectations of every model file in the folder, by file name."""
    for file in sorted(folder.glob("*.py")):
        yield from expectations_of(file)


def parse(file: Path, line: int, text: str) -> Expectation:
    """The expectation that `text` (what follows `# expect:`) states."""
    match = _LINE.fullmatch(text.strip())
    if match is None:
        raise MalformedExpectation(f"{file}:{line}: not an expectation: {text.strip()}")
    class_name, params = _subject((match["subject"] or "").split())
    counts = {what: int(number) for number, what in _COUNT.findall(match["counts"])}
    return Expectation(file, line, class_name, params, match["verdict"], match["property"], **counts)


def _subject(words: list[str]) -> tuple[str | None, dict[str, str]]:
    class_name = words.pop(0) if words and "=" not in words[0] else None
    return class_name, dict(word.split("=", 1) for word in words)
