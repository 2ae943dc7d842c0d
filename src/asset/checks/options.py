"""How to check: the same options for the command line and for the Python API."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from asset.checks.requirements import OPTIONS
from asset.errors import UsageError

ENGINES = ("native", "reference")
REDUCTIONS = ("off", "hand", "auto")
FAIRNESS = ("weak", "strong")
TRACES = ("fewest-switches", "causal", "first")

_MOST = {
    "threads": 2**31 - 1,
    "max_states": 2**63 - 1,
    "max_memory": 2**63 - 1,
    "audit": 2**63 - 1,
    "analysis_time": 2**63 - 1,
}
"""What is a number, and the largest that it may be."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`stubborn` and `symmetry` are off unless given; if neither is, it is decided while exploring
    (`asset.checks.choosing`). `only` None runs every check that the model has properties for; `max_memory` is in bytes.

    `termination` checks that a terminal state can be reached from every state, also if the model does not ask for
    it. Terminal states count as may progress unless `dl_not_may`, as must progress unless `dl_not_must`. `audit` looks
    for mistakes in the hand-written reductions, firing up to so many transitions in a row. `trace` says which run shows
    a violation (`asset.checks.trace`); None is fewest-switches as far as it costs little. `analysis_time` is how many
    seconds finding symmetries, and deriving stubborn set rules, may take each (5 if None); what was not found until
    then is done without. `ltl` and `ctl` are formulas that are asked besides those of the model; `fair` says that
    all processes are treated fairly: weak or strong. `on_the_fly` searches for violations of LTL depth-first, before
    anything else is asked; without it that is done only for large models. `coverage` says what was never reached, by a
    full search. `keep_going` answers every property if one is violated, whatever that takes; without it, this is done
    for small models only.
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
    ltl: str | tuple[str, ...] = ()
    ctl: str | tuple[str, ...] = ()
    fair: str | None = None
    on_the_fly: bool = False
    coverage: bool = False
    keep_going: bool = False

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
        if self.fair is not None:
            _one_of("fair", self.fair, FAIRNESS)
        if self.on_the_fly:
            self._require_plain_search()
        if self.analysis_time is not None and "auto" not in (self.stubborn, self.symmetry) and not self.may_choose:
            raise UsageError.of(
                "analysis_time is for deriving stubborn set rules and symmetries, and none are to be derived",
                remedy="say stubborn=auto as well, or symmetry=auto, or leave it out",
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

    def _require_plain_search(self) -> None:
        if self.threads > 1:
            raise UsageError.of("on the fly there is one thread only", remedy="leave out threads, or on_the_fly")
        for reduction in ("stubborn", "symmetry"):
            if getattr(self, reduction) not in (None, "off"):
                raise UsageError.of(
                    f"on the fly the full model is searched, without {reduction}={getattr(self, reduction)}",
                    remedy=f"leave out {reduction}, or on_the_fly",
                )

    @property
    def may_choose(self) -> bool:
        """Whether it is left to the tool which reductions are used."""
        return self.stubborn is None and self.symmetry is None and not self.coverage

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
        settings["only"] = None if self.only is None else sorted(self.only)
        for name in ("ltl", "ctl"):
            settings[name] = [text for option, text in self.formulas if option == f"--{name}"] or None
        return settings


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError.of(f"{option}={value} is unknown", remedy=f"there are: {', '.join(choices)}")
