"""Values that have words of their own in Python: truths, and the constants of an mtype as members of an enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from asset.frontends.promela.in_python.names import Names
from asset.frontends.promela.types import Basic

NONE = ("none", "nothing", "unset", "zero_")
"""What the 0 is called that a variable of an mtype has before it is given a constant."""


class Values:
    def __init__(self, mtypes: Mapping[str, Mapping[str, int]], names: Names) -> None:
        self.enumerations: dict[str, dict[str, int]] = {}
        """The members of each class."""
        self._titles: dict[str, str] = {}
        self._named: dict[str, str] = {}
        """How the constants are written."""
        for mtype, constants in mtypes.items():
            title = names.new("Mtype" if mtype == "mtype" else mtype.capitalize(), f"Mtype_{mtype}")
            members = {f"m{name}" if name.startswith("_") else name: name for name in constants}
            self._titles[mtype] = title
            self._named |= {name: f"{title}.{member}" for member, name in members.items()}
            none = next(name for name in (*NONE, f"{NONE[-1]}_") if name not in members)
            self.enumerations[title] = {none: 0, **{member: constants[name] for member, name in members.items()}}

    def domain(self, type: Basic) -> str:
        """What has all values of the type, if they are not numbers."""
        if is_bool(type):
            return "bool"
        return self._titles.get(type.mtype, "") if type.mtype is not None else ""

    def constant(self, type: Basic, value: int) -> str:
        if is_bool(type):
            return str(bool(value))
        title = self.domain(type)
        found = [name for name, each in self.enumerations.get(title, {}).items() if each == value]
        return f"{title}.{found[0]}" if found else str(value)

    def named(self, name: str) -> str | None:
        """The constant of an mtype."""
        return self._named.get(name)

    def __contains__(self, code: str) -> bool:
        """Whether the text is a constant."""
        return code.isdigit() or code in ("True", "False") or code in self._constants

    @property
    def _constants(self) -> Iterator[str]:
        return (f"{title}.{name}" for title, members in self.enumerations.items() for name in members)


def is_bool(type: Basic) -> bool:
    return type.kind == "bool" and type.bits == 1
