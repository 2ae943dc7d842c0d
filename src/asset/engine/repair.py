"""The repair of what was explored with stubborn sets: nothing that matters is left out for ever."""

from __future__ import annotations

from asset.engine.ignoring import ignore_nothing
from asset.engine.postponing import keep_visible
from asset.engine.search import Search


def repair(search: Search, ignores_nothing: bool, renames: bool) -> None:
    """Widens sets until they postpone no visible command and, if that is asked for, ignore nothing. `renames` says that
    symmetries are used. Either may make new cycles or components, so both are looked for until there are none."""
    while True:
        if ignores_nothing:
            ignore_nothing(search, renames)
        if not keep_visible(search) or not ignores_nothing:
            return
