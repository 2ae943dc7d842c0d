"""How to check: the same options for the command line and for the Python API."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from asset.errors import UsageError
from asset.ir.program import PropertyKind

KINDS = {
    "safety": PropertyKind.INVARIANT,
    "deadlock": PropertyKind.TERMINAL,
    "may": PropertyKind.MAY_PROGRESS,
    "must": PropertyKind.MUST_PROGRESS,
}
"""The words of `--only` and the kinds of properties that they select."""

ENGINES = ("native", "reference")
REDUCTIONS = ("off", "hand", "auto")


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`only` None runs every check that the model has properties for; `max_memory` is in bytes."""

    stubborn: str = "off"
    symmetry: str = "off"
    engine: str = "native"
    only: frozenset[str] | None = None
    max_states: int | None = None
    max_memory: int | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        _one_of("engine", self.engine, ENGINES)
        for reduction in ("stubborn", "symmetry"):
            _one_of(reduction, getattr(self, reduction), REDUCTIONS)
            if getattr(self, reduction) != "off":
                raise UsageError.of(
                    f"{reduction}={getattr(self, reduction)} is not available in this version",
                    remedy=f"leave it out, or say {reduction}=off",
                )
        for word in sorted(self.only or ()):
            _one_of("only", word, tuple(KINDS))
        for name in ("threads", "max_states", "max_memory"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError.of(f"{name} must be at least 1, not {value}")
        if self.engine == "reference" and self.threads > 1:
            raise UsageError.of("the reference engine has one thread only", remedy="leave out threads, or engine")

    def selects(self, kind: PropertyKind) -> bool:
        return self.only is None or any(KINDS[word] is kind for word in self.only)

    def to_dict(self) -> dict[str, Any]:
        settings = asdict(self)
        settings["only"] = None if self.only is None else sorted(self.only)
        return settings


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError.of(f"{option}={value} is unknown", remedy=f"there are: {', '.join(choices)}")
