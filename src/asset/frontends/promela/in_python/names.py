"""What the variables, constants and processes of a model are called in Python."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from asset.errors import Diagnostic
from asset.frontends.promela import syntax as s
from asset.frontends.promela.layout import Kind
from asset.span import Span

TAKEN = frozenset(
    (
        *("state", "transitions", "enabled_transitions", "initial_states", "parameters", "self", "when", "at", "range"),
        *("int", "len", "any", "all", "pid", "choose", "process", "terminal", "invariant", "temporal", "nr_pr", "goto"),
        *("Model", "Int", "Array", "Queue", "IntEnum", "always", "eventually", "next_state", "until", "weak_until"),
        *(
            "release",
            "implies",
            "as_int",
            "as_short",
            "quotient",
            "remainder",
            "message",
            "valid_end_state",
            "must_progress",
            "idle_steps",
        ),
    )
)


class Unsaid(Exception):
    """What processes in Python cannot say: which construct it is, where it stands, and what can be done."""

    def __init__(self, construct: str, span: Span | None = None, remedy: str = "") -> None:
        super().__init__(construct)
        self.diagnostic = Diagnostic(construct, span, remedy, "note")


class Names:
    """Identifiers, each given once."""

    def __init__(self) -> None:
        self._taken = set(TAKEN)
        self._declared: dict[s.Declaration, str] = {}

    def new(self, *wanted: str) -> str:
        """The first of the names that is free, or one that is made of the last."""
        for name in wanted:
            if name not in self._taken and not keyword.iskeyword(name) and not name.startswith("_"):
                self._taken.add(name)
                return name
        return self.new(f"{wanted[-1].strip('_') or 'x'}_{len(self._taken)}")

    def declare(self, declarations: Iterable[s.Declaration], kind: Kind | None = None) -> None:
        for d in declarations:
            own = f"{kind.name}_{d.label}" if kind is not None else f"{d.label}_"
            self._declared[d] = self.new(d.label, own)

    def of(self, declaration: s.Declaration) -> str:
        return self._declared[declaration]


def quoted(text: str) -> str:
    """The text as a constant of Python."""
    plain = '"' not in text and "\\" not in text and text.isprintable()
    return f'"{text}"' if plain else repr(text)
