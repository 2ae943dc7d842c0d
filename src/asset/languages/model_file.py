"""A .model file as a subject: C++, compiled to a library, and what its switches mean here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from asset.checks.options import CheckOptions
from asset.checks.subject import ParameterValue, Seen, Subject
from asset.codegen import cache
from asset.engine.isolated import LibraryExecutable
from asset.errors import UsageError
from asset.frontends import cpp
from asset.frontends.cpp import Loaded
from asset.ir.program import State
from asset.languages import ModelSpec
from asset.verdict import Caveat

NOTES = {
    "show_cnt": "the running count is shown on every terminal; --quiet leaves it out",
    "no_show_cnt": "the running count is shown on terminals only; --quiet leaves it out there, too",
    "hash_count": "the hash table grows as it must; its size need not be given",
}
"""Switches that say how the ancestor is to do what is done otherwise here."""


def load(spec: ModelSpec) -> LibrarySubject:
    started = time.perf_counter()
    loaded = cpp.load(spec.file, spec.parameters, cache, spec.patience)
    return LibrarySubject(loaded, spec.patience, time.perf_counter() - started)


@dataclass(frozen=True)
class LibrarySubject(Subject):
    """The file, compiled. A call into it that has not returned after `patience` seconds is assumed never to return."""

    loaded: Loaded
    patience: float
    spent: float = 0.0
    repeats = False
    opaque = "those of a .model file are compiled code"

    @property
    def switches(self) -> Mapping[str, str]:
        return self.loaded.switches

    def only_runs(self) -> bool:
        return "only_typical" in self.switches

    def notes(self) -> list[str]:
        return [f"{name}: {what}" for name, what in NOTES.items() if name in self.switches]

    def parameters(self) -> list[ParameterValue]:
        given = self.loaded.library.program.parameters
        return [ParameterValue(name, str(value), "the text of a macro") for name, value in given]

    def options(self, asked: CheckOptions) -> CheckOptions:
        """Switches and options are the same thing; an option for the number of states goes before stop_cnt.

        With stubborn sets, the original always checks that the model may terminate, and so does its format here.
        """
        asked = super().options(asked)
        limit = asked.max_states
        if limit is None and "stop_cnt" in self.switches:
            limit = _number("stop_cnt", self.switches["stop_cnt"])
        stubborn = "hand" if "stubborn" in self.switches else asked.stubborn
        return replace(
            asked,
            stubborn=stubborn,
            termination=asked.termination or stubborn == "hand",
            symmetry="hand" if "symmetry" in self.switches else asked.symmetry,
            dl_not_may=asked.dl_not_may or "dl_not_may" in self.switches,
            dl_not_must=asked.dl_not_must or "dl_not_must" in self.switches,
            max_states=limit,
        )

    @cached_property
    def _executable(self) -> LibraryExecutable:
        return LibraryExecutable(self.loaded.library, self.patience)

    def executable(self) -> LibraryExecutable:
        return self._executable

    def sources(self) -> tuple[str, ...]:
        return self.loaded.sources

    def fingerprint(self) -> str:
        library = self.loaded.library
        return sha256(repr(library.program).encode() + library.code).hexdigest()

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
        return replace(super().seen(state), shown=self.executable().shown(state))


def _number(name: str, text: str) -> int:
    digits = text.strip().rstrip("uUlL")
    if not digits.isdecimal() or int(digits) < 1:
        raise UsageError.of(f"{name}={text}: not a positive number", remedy=f"write it like -D {name}=1000000")
    return int(digits)
