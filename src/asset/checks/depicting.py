"""What the page of a check that holds shows besides the verdict: what was never reached, how often transitions fired.

Each takes machine code of its own, so it is counted by a further search. That leaves the check as fast as it is without
a page. It is done for models that were soon explored in full.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from asset.checks.options import CheckOptions
from asset.checks.run import check
from asset.checks.subject import Subject
from asset.ir.interpreter import Interpreter
from asset.verdict import Profile, Verdict

SOON = 1_000_000
"""States."""


def depicted(verdict: Verdict, subject: Subject, options: CheckOptions) -> Verdict:
    """The verdict with coverage and firings, if they can be had soon."""
    if not verdict.holds or verdict.states > SOON or not _is_plain(verdict, options):
        return verdict
    if not isinstance(subject.executable(), Interpreter):
        return verdict
    plain = replace(options, **_PLAIN)
    coverage = verdict.coverage or check(subject, replace(plain, coverage=True)).coverage
    profile = verdict.profile or _without_times(check(subject, replace(plain, profile=True)).profile)
    return replace(verdict, coverage=coverage, profile=profile)


def _without_times(profile: Profile | None) -> Profile | None:
    """These are of another search than the one that the verdict speaks of."""
    return None if profile is None else replace(profile, seconds={})


_PLAIN: dict[str, Any] = {
    "stubborn": "off",
    "symmetry": "off",
    "threads": 1,
    "store": None,
    "coverage": False,
    "ranges": False,
    "profile": False,
    "checkpoint": None,
    "every": None,
    "resume": False,
    "analysis_time": None,
    "as_asked": False,
}
"""The options of a search that can be counted."""


def _is_plain(verdict: Verdict, options: CheckOptions) -> bool:
    """Whether every state was explored, here, by the native engine."""
    reduced = {verdict.reduction.stubborn, verdict.reduction.symmetry} - {"off"}
    elsewhere = options.cluster is not None or options.approximate or options.on_the_fly
    return options.engine == "native" and not reduced and not elsewhere
