"""The kinds of report files: a module of the same name for each, loaded only if it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from asset.verdict import Verdict

FORMATS = {
    "json": "the verdict as JSON",
    "html": "a page to step through the run, in one file",
    "markdown": "the report as Markdown, for an issue tracker",
    "mermaid": "the run as a Mermaid sequence diagram",
    "sarif": "the finding as SARIF 2.1.0, for code scanning",
}
"""Each format and what it writes; the options of the same names take a file."""


class Format(Protocol):
    def render(self, verdict: Verdict) -> str: ...


def render(verdict: Verdict, name: str) -> str:
    """The verdict as a file of this format."""
    return cast(Format, import_module(f"asset.report.{name}")).render(verdict)
