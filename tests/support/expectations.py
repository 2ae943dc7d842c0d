"""Reads what a model file says of itself: the `# expect:` lines in its head.

A line names the class where the file has several, then the parameters and the options of the check, then the outcome:

    # expect: n=3: holds, 468 states, 1350 edges, 3 terminal
    # expect: n=3 stubborn=hand symmetry=hand only=safety,deadlock: holds, 73 states, 109 edges
    # expect: PetersonSwapped n=2: violated mutual_exclusion, 336 states, 602 edges, 17 steps
    # expect: EagerRing n=2 termination=on: violated termination

In a .model file the line begins with `//`, and what stands before the colon are macros to define:

    // expect: size_par=3 stubborn: holds, 219 states, 327 edges

What is violated is a property or a kind of violation. Whatever is left out is not expected to be anything in
particular. `steps` counts the transitions of the counterexample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asset.verdict import Verdict

_PREFIXES = {".py": "# expect:", ".model": "// expect:"}
_LINE = re.compile(
    r"(?:(?P<subject>[^:]+):\s+)?"
    r"(?P<verdict>holds|violated|undecided)(?:\s+(?P<violated>[\w-]+))?"
    r"(?P<counts>(?:,\s+\d+\s+(?:states|edges|terminal|steps))*)"
)
_COUNT = re.compile(r"(\d+)\s+(\w+)")

_CHOICES = ("stubborn", "symmetry")
_FLAGS = ("termination", "dl_not_may", "dl_not_must")


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one line says; None where it is silent."""

    file: Path
    line: int
    class_name: str | None
    params: dict[str, str] = field(hash=False)
    verdict: str
    violated: str | None = None
    states: int | None = None
    edges: int | None = None
    terminal: int | None = None
    steps: int | None = None
    options: dict[str, Any] = field(default_factory=dict, hash=False)
    """The options of the check that are not as usual."""
    subject: str = ""
    """Class, parameters and options, as written."""

    def model(self) -> str:
        """The model as it is named on the command line: `file.py` or `file.py:Class`."""
        return f"{self.file}:{self.class_name}" if self.class_name else str(self.file)

    def __str__(self) -> str:
        """A short name for a test: `peterson:Peterson n=2`."""
        separator = ":" if self.class_name else " "
        return f"{self.file.stem}{separator}{self.subject}".strip()


class MalformedExpectation(ValueError):
    """An `# expect:` line that says nothing we can check."""


def expectations_of(file: Path) -> list[Expectation]:
    """The expectations in the file, in their order."""
    prefix = _PREFIXES[file.suffix]
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
    return [parse(file, number, text[len(prefix) :]) for number, text in lines if text.startswith(prefix)]


def expectations_in(folder: Path) -> Iterator[Expectation]:
    """The expectations of every model file in the folder, by file name."""
    for file in sorted(path for path in folder.iterdir() if path.suffix in _PREFIXES):
        yield from expectations_of(file)


def parse(file: Path, line: int, text: str) -> Expectation:
    """The expectation that `text` (what follows `# expect:`) states."""
    match = _LINE.fullmatch(text.strip())
    if match is None:
        raise MalformedExpectation(f"{file}:{line}: not an expectation: {text.strip()}")
    subject = match["subject"] or ""
    if file.suffix == ".model":
        class_name, words = None, dict(word.split("=", 1) if "=" in word else (word, "1") for word in subject.split())
    else:
        class_name, words = _subject(subject.split())
    counts = {what: int(number) for number, what in _COUNT.findall(match["counts"])}
    named = {name for name in words if file.suffix == ".py" and _is_option(name)}
    params = {name: value for name, value in words.items() if name not in named}
    options = {name: _option(name, words[name]) for name in named}
    return Expectation(
        file, line, class_name, params, match["verdict"], match["violated"], **counts, options=options, subject=subject
    )


def _subject(words: list[str]) -> tuple[str | None, dict[str, str]]:
    class_name = words.pop(0) if words and "=" not in words[0] else None
    return class_name, dict(word.split("=", 1) for word in words)


def _is_option(name: str) -> bool:
    return name in ("only", "audit", *_CHOICES, *_FLAGS)


def _option(name: str, value: str) -> object:
    if name == "only":
        return frozenset(value.split(","))
    if name == "audit":
        return int(value)
    return value if name in _CHOICES else value == "on"


def compare(verdict: Verdict, expected: Expectation) -> None:
    """Fails if the verdict is not as expected."""
    assert verdict.answer.value == expected.verdict
    if expected.violated:
        assert verdict.violation is not None
        assert expected.violated in (verdict.violation.property, verdict.violation.kind)
    for found, wanted in (
        (verdict.states, expected.states),
        (verdict.edges, expected.edges),
        (verdict.terminal_states, expected.terminal),
        (len(verdict.counterexample or ()) - 1, expected.steps),
    ):
        assert wanted is None or found == wanted
