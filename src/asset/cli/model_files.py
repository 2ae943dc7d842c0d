"""Models of the original ASSET, as the command line has them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from asset.cli.arguments import Chosen

if TYPE_CHECKING:
    from asset.checks.library import LibrarySubject
    from asset.checks.subject import Subject


def loaded(chosen: Chosen, quiet: bool) -> LibrarySubject:
    """The .model file, compiled; what its switches mean here, where that is not what they meant, is said on stderr."""
    # Imported here: Python models need none of it.
    from asset.checks.library import LibrarySubject
    from asset.codegen import cache
    from asset.frontends.cpp import load

    started = time.perf_counter()
    found = load(chosen.file, chosen.definitions, cache, chosen.patience)
    subject = LibrarySubject(found, chosen.patience, time.perf_counter() - started)
    for note in [] if quiet else subject.notes():
        print(f"note: {note}", file=sys.stderr)
    return subject


def wants_typical_run(subject: Subject) -> bool:
    """Whether the model asks for a typical run instead of a check (only_typical)."""
    switches = getattr(subject, "switches", {})
    return "only_typical" in switches
