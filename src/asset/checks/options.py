"""How to check: the same options for the command line and for the Python API."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from asset.checks.requirements import OPTIONS
from asset.deferred import dataclass
from asset.errors import UsageError

ENGINES = ("native", "reference")
REDUCTIONS = ("off", "hand", "auto")
FAIRNESS = ("weak", "strong")
STORES = ("exact", "tree", "bitstate", "compact")
CLUSTERS = ("local", "mpi", "ray")
TRACES = ("fewest-switches", "causal", "first")

_MOST = {
    "threads": 2**31 - 1,
    "ranks": 2**16,
    "max_states": 2**63 - 1,
    "max_memory": 2**63 - 1,
    "expect": 2**63 - 1,
    "audit": 2**63 - 1,
    "analysis_time": 2**63 - 1,
}
"""What is a number, and the largest that it may be."""

LEAST_WITH_FILES = 12 << 20
"""Bytes of memory. Pages of files come to memory many at a time, so that a smaller limit could not be kept."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`stubborn` and `symmetry` are off unless given; if neither is, it is decided while exploring
    (`asset.checks.choosing`). `only` None runs every check that the model has properties for; `max_memory` is in bytes.

    `termination` checks that a terminal state can be reached from every state, also if the model does not ask for
    it. Terminal states count as may progress unless `dl_not_may`, as must progress unless `dl_not_must`. `audit` looks
    for mistakes in the hand-written reductions, firing up to so many transitions in a row. `trace` says which run shows
    a violation (`asset.checks.trace`); None is fewest-switches as far as it costs little. `analysis_time` is how
    many seconds finding symmetries, and deriving stubborn set rules, may take each (5 if None); what was not found
    until then is done without. Symmetries that save nothing are given up unless `as_asked`. `ltl` and `ctl` are
    formulas that are asked besides those of the model; `fair` says that all processes are treated fairly: weak or
    strong. `on_the_fly` searches for violations of LTL depth-first, before anything else is asked; without it that
    is done only for large models. `coverage` says what was never reached, by a full search, and `profile` where the
    time of one goes. `keep_going` answers every property if one is violated, whatever that takes; without it, this
    is done for small models only. `cluster` explores with `ranks` processes, which are had by that means (local,
    mpi, ray); `address` is that of a cluster of Ray.

    `checkpoint` is a file that the check is kept in, `every` so many seconds (300), or, of a cluster, a folder in which
    each level of the search is kept; with `resume` it goes on from there. `spill` is a folder for states that memory
    does not hold: then the search goes on with files, if only states are asked about. `command` is the command line,
    if there was one: for those who go on.
    """

    stubborn: str | None = None
    symmetry: str | None = None
    engine: str = "native"
    only: frozenset[str] | None = None
    max_states: int | None = None
    max_memory: int | None = None
    threads: int = 1
    termination: bool = False
    dl_not_may: bool = False
    dl_not_must: bool = False
    audit: int | None = None
    trace: str | None = None
    analysis_time: int | None = None
    as_asked: bool = False
    ltl: str | tuple[str, ...] = ()
    ctl: str | tuple[str, ...] = ()
    fair: str | None = None
    on_the_fly: bool = False
    coverage: bool = False
    ranges: bool = False
    keep_going: bool = False
    store: str | None = None
    expect: int | None = None
    spill: str | None = None
    cluster: str | None = None
    ranks: int | None = None
    address: str | None = None
    checkpoint: str | None = None
    every: float | None = None
    resume: bool = False
    profile: bool = False
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _one_of("engine", self.engine, ENGINES)
        for reduction in ("stubborn", "symmetry"):
            if getattr(self, reduction) is not None:
                _one_of(reduction, getattr(self, reduction), REDUCTIONS)
        if self.trace is not None:
            self._require_trace(self.trace)
        for word in sorted(self.only or ()):
            _one_of("only", word, OPTIONS)
        for name, most in _MOST.items():
            value = getattr(self, name)
            if value is not None and not 1 <= value <= most:
                bound = f"at most {most}" if value > most else "at least 1"
                raise UsageError.of(f"{name} must be {bound}, not {value}")
        if self.engine == "reference" and self.threads > 1:
            raise UsageError.of("the reference engine has one thread only", remedy="leave out threads, or engine")
        self._require_cluster()
        if self.fair is not None:
            _one_of("fair", self.fair, FAIRNESS)
        if self.on_the_fly:
            self._require_plain_search()
        if self.store is not None:
            _one_of("store", self.store, STORES)
        if self.expect is not None and not self.approximate:
            raise UsageError.of(
                "expect says how to size a table that may omit states, and the store is exact",
                remedy="say store=bitstate or store=compact as well, or leave it out",
            )
        if self.approximate:
            self._require_approximate()
        if self.spill is not None:
            self._require_spill(self.spill)
        self._require_analysis()
        if self.profile:
            self._require_profile()
        self._require_checkpoint()
        if self.ranges and not self.coverage:
            raise UsageError.of("ranges are a part of coverage", remedy="ask for coverage as well")
        if self.coverage and self.on_the_fly:
            raise UsageError.of(
                "on the fly, only what a formula needs is explored: what was never reached is not known",
                remedy="leave out on_the_fly, or coverage",
            )
        if self.coverage and {self.stubborn, self.symmetry} - {None, "off"}:
            raise UsageError.of(
                "coverage is of the full search: what a reduced one never reaches may be reached",
                remedy="leave out stubborn and symmetry, or coverage",
            )
        if self.audit is not None and "hand" not in (self.stubborn, self.symmetry):
            raise UsageError.of(
                "audit looks for mistakes in hand-written reductions, and none is switched on",
                remedy="say stubborn=hand or symmetry=hand as well",
            )

    def _require_trace(self, trace: str) -> None:
        _one_of("trace", trace, TRACES)
        if trace != "first" and self.symmetry not in (None, "off"):
            raise UsageError.of(
                f"trace={trace} cannot be had with symmetry: the states of the run are representatives",
                remedy="leave out trace, or symmetry",
            )

    def _require_cluster(self) -> None:
        if self.resume and self.checkpoint is None:
            raise UsageError.of("nothing to resume from", remedy="give checkpoint as well: what was kept")
        if self.cluster is None:
            if self.ranks is not None or self.address is not None:
                raise UsageError.of(
                    "ranks and address are of a cluster", remedy="say cluster as well, or leave them out"
                )
            return
        _one_of("cluster", self.cluster, CLUSTERS)
        if self.cluster == "mpi" and self.ranks is not None:
            raise UsageError.of("MPI itself says how many ranks there are", remedy="mpirun -n N asset check …")
        if self.cluster != "ray" and self.address is not None:
            raise UsageError.of("address is that of a cluster of Ray", remedy="leave it out, or say cluster=ray")
        excluded = {
            "engine=reference": self.engine == "reference",
            "store=tree": self.store == "tree",
            "coverage": self.coverage,
            "profile": self.profile,
            "on_the_fly": self.on_the_fly,
        }
        for name, given in excluded.items():
            if given:
                raise UsageError.of(f"a cluster does without {name}", remedy=f"leave out cluster, or {name}")

    def _require_plain_search(self) -> None:
        if self.threads > 1:
            raise UsageError.of("on the fly there is one thread only", remedy="leave out threads, or on_the_fly")
        for reduction in ("stubborn", "symmetry"):
            if getattr(self, reduction) not in (None, "off"):
                raise UsageError.of(
                    f"on the fly the full model is searched, without {reduction}={getattr(self, reduction)}",
                    remedy=f"leave out {reduction}, or on_the_fly",
                )

    def _require_checkpoint(self) -> None:
        if self.checkpoint is None or self.cluster is not None:
            if self.every is not None:
                raise UsageError.of("every is about the file of checkpoint", remedy="give one, or leave out every")
            return
        if self.every is not None and not self.every > 0:
            raise UsageError.of(f"every must be more than no seconds, not {self.every}")
        if self.engine != "native":
            raise UsageError.of("checkpoints are of the native engine", remedy="leave out engine, or checkpoint")
        for name in ("on_the_fly", "coverage", "profile"):
            if getattr(self, name):
                raise UsageError.of(f"a check with {name} cannot be resumed", remedy=f"leave out {name}, or checkpoint")

    def _require_approximate(self) -> None:
        if self.engine != "native":
            raise UsageError.of(f"store={self.store} is of the native engine", remedy="leave out engine, or store")
        for option in ("stubborn", "symmetry", "on_the_fly", "coverage", "termination", "cluster", "checkpoint"):
            if getattr(self, option) not in (None, False, "off"):
                raise UsageError.of(
                    f"store={self.store} may omit states, and {option} is for searches that have all of them",
                    remedy=f"leave out {option}, or store",
                )

    def _kept_out_of_files(self) -> Iterator[str]:
        """What does not go with a search that goes on with files."""
        excluded = {
            "engine=reference": self.engine == "reference",
            f"store={self.store}": self.approximate,
            "on_the_fly": self.on_the_fly,
            "cluster": self.cluster is not None,
            "checkpoint": self.checkpoint is not None,
        }
        return (name for name, given in excluded.items() if given)

    @property
    def can_spill(self) -> bool:
        """Whether files are left to go on with, if memory ends."""
        return self.spill is None and not any(self._kept_out_of_files())

    def _require_analysis(self) -> None:
        if self.analysis_time is not None and "auto" not in (self.stubborn, self.symmetry) and not self.may_choose:
            raise UsageError.of(
                "analysis_time is for deriving stubborn set rules and symmetries, and none are to be derived",
                remedy="say stubborn=auto as well, or symmetry=auto, or leave it out",
            )
        if self.as_asked and self.symmetry != "auto":
            raise UsageError.of(
                "as_asked is for symmetries that do not pay, and none are to be found",
                remedy="say symmetry=auto as well, or leave it out",
            )

    def _require_spill(self, folder: str) -> None:
        for name in self._kept_out_of_files():
            raise UsageError.of(f"a search in files does without {name}", remedy=f"leave out spill, or {name}")
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise UsageError.of(
                f"spill={folder} is no folder that can be written to", remedy="make one, or give another"
            )
        if self.max_memory is not None and self.max_memory < LEAST_WITH_FILES:
            raise UsageError.of(
                f"with spill, a limit of {self.max_memory:,} bytes on memory cannot be kept",
                remedy=f"max_memory of {LEAST_WITH_FILES:,} bytes ({LEAST_WITH_FILES >> 20}M) is the least",
            )

    @property
    def approximate(self) -> bool:
        """Whether states may be omitted."""
        return self.store in ("bitstate", "compact")

    def _require_profile(self) -> None:
        if self.engine != "native":
            raise UsageError.of("a profile is of the native engine", remedy="leave out engine, or profile")
        if self.threads > 1:
            raise UsageError.of("a profile is of one thread", remedy="leave out threads, or profile")
        if self.coverage or self.on_the_fly:
            other = "coverage" if self.coverage else "on_the_fly"
            raise UsageError.of(f"a profile does not go with {other}", remedy=f"leave out {other}, or profile")
        if {self.stubborn, self.symmetry} - {None, "off"}:
            raise UsageError.of(
                "a profile is of the full search, without stubborn sets and symmetry",
                remedy="leave out stubborn and symmetry, or profile",
            )

    @property
    def may_choose(self) -> bool:
        """Whether it is left to the tool which reductions are used."""
        asked = self.coverage or self.profile or self.approximate or self.cluster is not None
        return self.stubborn is None and self.symmetry is None and not asked

    @property
    def formulas(self) -> list[tuple[str, str]]:
        """Those that are asked besides the model's own, each with its option."""
        asked = [("--ltl", self.ltl), ("--ctl", self.ctl)]
        return [(option, text) for option, given in asked for text in ((given,) if isinstance(given, str) else given)]

    def selects(self, option: str) -> bool:
        """Whether the requirements of this word are to be checked."""
        return self.only is None or option in self.only

    def to_dict(self) -> dict[str, Any]:
        settings = asdict(self)
        for name in ("every", "command") if self.cluster else ("every", "command", "resume"):
            del settings[name]  # a check that goes on is the same check
        settings["only"] = None if self.only is None else sorted(self.only)
        for name in ("spill", "cluster", "ranks", "address", "checkpoint", "resume"):
            if not settings.get(name):
                settings.pop(name, None)
        for name in ("ltl", "ctl"):
            settings[name] = [text for option, text in self.formulas if option == f"--{name}"] or None
        return settings


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError.of(f"{option}={value} is unknown", remedy=f"there are: {', '.join(choices)}")
