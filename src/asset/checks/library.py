"""A .model file as something to check: what its switches mean here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from asset.checks.options import CheckOptions
from asset.checks.rendering import values
from asset.checks.subject import Seen
from asset.engine.isolated import LibraryExecutable
from asset.errors import UsageError
from asset.frontends.cpp import Loaded
from asset.ir.program import State
from asset.verdict import Caveat, Value

NOTES = {
    "show_cnt": "the running count is shown on every terminal; --quiet leaves it out",
    "no_show_cnt": "the running count is shown on terminals only; --quiet leaves it out there, too",
    "hash_count": "the hash table grows as it must; its size need not be given",
}
"""Switches that say how the ancestor is to do what is done otherwise here."""


class LibraryState:
    """A state of a .model file: its variables are attributes, arrays are lists."""

    def __init__(self, values: Mapping[str, Value], cells: State) -> None:
        self._values = values
        self._cells = cells

    def __getattr__(self, name: str) -> Value:
        known: Mapping[str, Value] = self.__dict__.get("_values", {})  # a copy has none at first
        if name not in known:
            raise AttributeError(f"the model has no state variable {name}")
        return known[name]

    def __repr__(self) -> str:
        return f"LibraryState({', '.join(f'{name}={value}' for name, value in self._values.items())})"


@dataclass(frozen=True, slots=True)
class LibrarySubject:
    """A .model file; one call into it may take `patience` seconds."""

    loaded: Loaded
    patience: float
    spent: float = 0.0
    repeats: bool = False
    _executable: list[LibraryExecutable] = field(default_factory=list)

    @property
    def switches(self) -> Mapping[str, str]:
        return self.loaded.switches

    def notes(self) -> list[str]:
        """What the user should know of the switches, once."""
        return [f"{name}: {what}" for name, what in NOTES.items() if name in self.switches]

    def options(self, asked: CheckOptions) -> CheckOptions:
        """Switches and options are the same thing; an option for the number of states goes before stop_cnt."""
        if asked.trace not in (None, "first"):
            raise UsageError.of(
                f"trace={asked.trace} needs to see into the transitions, and those of a .model file are compiled code",
                remedy="leave it out: the run is the one that was found first",
            )
        limit = asked.max_states
        if limit is None and "stop_cnt" in self.switches:
            limit = _number("stop_cnt", self.switches["stop_cnt"])
        return replace(
            asked,
            stubborn="hand" if "stubborn" in self.switches else asked.stubborn,
            symmetry="hand" if "symmetry" in self.switches else asked.symmetry,
            dl_not_may=asked.dl_not_may or "dl_not_may" in self.switches,
            dl_not_must=asked.dl_not_must or "dl_not_must" in self.switches,
            max_states=limit,
        )

    def executable(self) -> LibraryExecutable:
        if not self._executable:
            self._executable.append(LibraryExecutable(self.loaded.library, self.patience))
        return self._executable[0]

    def slow_executable(self) -> None:
        return None

    def caveats(self) -> tuple[Caveat, ...]:
        found = []
        if "no_sanity_chk" in self.switches:
            off = "values that do not fit their bits are cut off, and what disabled transitions change is lost"
            found.append(Caveat("no-sanity-check", f"sanity checks are switched off (no_sanity_chk): {off}"))
        if "no_progr_chk" in self.switches:
            found.append(Caveat("no-progress-check", "progress was not checked: no_progr_chk switches that off"))
        own = self.loaded.library.own_variables
        if own:
            found.append(
                Caveat(
                    "own-variables",
                    f"the model has variables that are no part of the state ({', '.join(own)}): if they matter, the "
                    "answer depends on the order in which the states were met",
                )
            )
        return tuple(found)

    def seen(self, state: State) -> Seen:
        return Seen(LibraryState(values(self.loaded.library.program, state), state), self.executable().shown(state))

    def cells(self, seen: Any) -> State:
        state: State = seen._cells
        return state


def _number(name: str, text: str) -> int:
    digits = text.strip().rstrip("uUlL")
    if not digits.isdecimal() or int(digits) < 1:
        raise UsageError.of(f"{name}={text}: not a positive number", remedy=f"write it like -D {name}=1000000")
    return int(digits)
