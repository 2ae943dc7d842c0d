"""ASSET: write a concurrent system as a Python class, and find out whether any of its reachable states is bad.

    from asset import Array, Model, check, invariant, transition, when

These names are the public API; everything else is internal.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from asset.version import VERSION

if TYPE_CHECKING:
    from asset.checks.subject import Subject
    from asset.errors import AssetError, ModelRejected, UsageError
    from asset.model import (
        AF,
        AG,
        AU,
        AX,
        EF,
        EG,
        EU,
        EX,
        Array,
        Bag,
        Bits,
        Dangling,
        Empty,
        Full,
        Heap,
        Int,
        Map,
        Model,
        OneOf,
        Optional,
        OutOfRange,
        Queue,
        Record,
        Ref,
        Set,
        after,
        always,
        assume,
        changes,
        choose,
        enabled,
        eventually,
        idle_steps,
        implies,
        initial,
        invariant,
        leads_to,
        may_progress,
        must_progress,
        next_state,
        obligations,
        process,
        recurrent,
        release,
        stb,
        stb_all,
        strong,
        subsets,
        taken,
        temporal,
        terminal,
        terminates,
        transition,
        until,
        weak,
        weak_until,
        when,
    )
    from asset.space.state_graph import StateGraph
    from asset.verdict import Answer, Counterexample, Verdict
    from asset.verifying import NotVerified

__version__ = VERSION

__all__ = [
    "AF",
    "AG",
    "AU",
    "AX",
    "EF",
    "EG",
    "EU",
    "EX",
    "Answer",
    "Array",
    "AssetError",
    "Bag",
    "Bits",
    "Counterexample",
    "Dangling",
    "Empty",
    "Full",
    "Heap",
    "Int",
    "Map",
    "Model",
    "ModelRejected",
    "NotVerified",
    "OneOf",
    "Optional",
    "OutOfRange",
    "Queue",
    "Record",
    "Ref",
    "Set",
    "UsageError",
    "Verdict",
    "after",
    "always",
    "assume",
    "changes",
    "check",
    "choose",
    "enabled",
    "eventually",
    "idle_steps",
    "implies",
    "initial",
    "invariant",
    "leads_to",
    "load",
    "may_progress",
    "must_progress",
    "next_state",
    "obligations",
    "process",
    "recurrent",
    "release",
    "state_graph",
    "stb",
    "stb_all",
    "strong",
    "subsets",
    "taken",
    "temporal",
    "terminal",
    "terminates",
    "transition",
    "until",
    "verify",
    "weak",
    "weak_until",
    "when",
]


_ELSEWHERE = {
    "asset.errors": ("AssetError", "ModelRejected", "UsageError"),
    "asset.verdict": ("Answer", "Counterexample", "Verdict"),
    "asset.verifying": ("NotVerified",),
}
"""What is not defined here, nor in `asset.model`."""


def __getattr__(name: str) -> Any:
    """A public name is loaded when it is first used, so that a command can heed signals from its first moment on."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = next((module for module, names in _ELSEWHERE.items() if name in names), "asset.model")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class Options(TypedDict, total=False):
    """The options of `check`, as those of `asset check`; `max_memory` is in bytes, `audit` is a depth."""

    stubborn: str | None
    symmetry: str | None
    engine: str
    threads: int
    max_states: int | None
    max_memory: int | None
    termination: bool
    dl_not_may: bool
    dl_not_must: bool
    audit: int | None
    trace: str | None
    analysis_time: int | None
    as_asked: bool
    ltl: str | tuple[str, ...]
    ctl: str | tuple[str, ...]
    fair: str | None
    on_the_fly: bool
    coverage: bool
    ranges: bool
    keep_going: bool
    store: str | None
    expect: int | None
    spill: str | None
    cluster: str | None
    ranks: int | None
    address: str | None
    checkpoint: str | None
    every: float
    resume: bool
    profile: bool


def load(file: str | PathLike[str], **parameters: object) -> Subject:
    """The model in a file of any language that `asset check` takes, for `check`, `verify` and `state_graph`.

    The parameters are those that the command line gives by -p or -D. A model in Python can be imported as well.
    """
    from asset import languages

    return languages.load(languages.ModelSpec(str(file), {name: str(value) for name, value in parameters.items()}))


def check(model: Model | Subject, *, only: Iterable[str] | None = None, **options: Unpack[Options]) -> Verdict:
    """Explores every reachable state of the model and answers for its properties.

    The options are those of `asset check` (see `asset.Options`); `only` names the checks to run. A model that cannot be
    checked as it is written raises AssetError; whatever goes wrong while it runs is a finding in the verdict. Ctrl-C
    ends the check with the verdict that there is; KeyboardInterrupt is raised if nothing is known of the model yet.
    """
    from asset import checks, live_notebook  # here, so that defining a model loads no engine
    from asset.languages import subject_of

    unknown = sorted(options.keys() - Options.__annotations__.keys())
    if unknown:
        raise TypeError(f"check() has no option {unknown[0]}; there are: only, {', '.join(Options.__annotations__)}")
    selected = None if only is None else frozenset([only] if isinstance(only, str) else only)
    with live_notebook.progress() as observer:
        return checks.check(subject_of(model), checks.CheckOptions(only=selected, **options), observer)


def verify(model: Model | Subject, *, only: Iterable[str] | None = None, **options: Unpack[Options]) -> Verdict:
    """Like `check`, but raises NotVerified, an AssertionError that shows the counterexample, unless the model holds."""
    __tracebackhide__ = True  # pytest shows the line of the test instead
    from asset.verifying import require

    return require(check(model, only=only, **options))


def state_graph(
    model: Model | Subject,
    *,
    project: Iterable[str] = (),
    condense: bool = False,
    stubborn: str = "off",
    symmetry: str = "off",
) -> StateGraph:
    """The state space of a small model as a graph, which a notebook draws; as `asset graph` does.

    `project` names the variables or cells to be shown, like `client[0]`; `condense` draws strong components.
    """
    from asset.checks import CheckOptions
    from asset.languages import subject_of
    from asset.space import graph_views
    from asset.space.exploring import explore

    explored = explore(subject_of(model), CheckOptions(stubborn=stubborn, symmetry=symmetry))
    names = [project] if isinstance(project, str) else list(project)
    if names:
        return graph_views.projected(explored, names)
    return graph_views.condensed(explored) if condense else graph_views.full(explored)
