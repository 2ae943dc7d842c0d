"""The values of a sweep, from the words of the command line: `n=2..9`, `n=2..20:3`, `n=1,2,4,8`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from asset.errors import UsageError

_RANGE = re.compile(r"(?P<first>-?\d+)\.\.(?P<last>-?\d+)(?::(?P<step>\d+))?")

_NUMBER = re.compile(r"-?\d+")

MOST = 1000
"""Values of a sweep: more than anyone waits for, and few enough that a typing mistake does not fill the memory."""


@dataclass(frozen=True, slots=True)
class Swept:
    """The parameter that varies, and its values as text."""

    name: str
    values: tuple[str, ...]


def sizes(parameters: Mapping[str, str], flag: str = "-p") -> list[dict[str, str]]:
    """The parameters of each check, the smallest numbers first; one check if nothing varies."""
    if not _varied(parameters, flag):
        return [dict(parameters)]
    swept, fixed = split(parameters, flag)
    numbers = {value: int(value) for value in swept.values if _NUMBER.fullmatch(value)}
    values = sorted(swept.values, key=numbers.__getitem__) if len(numbers) == len(swept.values) else swept.values
    return [{**fixed, swept.name: value} for value in values]


def split(parameters: Mapping[str, str], flag: str = "-p") -> tuple[Swept, dict[str, str]]:
    """The one parameter with several values, and those that stay as they are; UsageError unless it is just one."""
    several = _varied(parameters, flag)
    if len(several) != 1:
        which = f"{' and '.join(several)} have" if several else "no parameter has"
        raise UsageError.of(
            f"{which} several values", remedy=f"a sweep varies one parameter: write it like {flag} n=2..9"
        )
    ((name, values),) = several.items()
    return Swept(name, values), {other: text for other, text in parameters.items() if other != name}


def _varied(parameters: Mapping[str, str], flag: str) -> dict[str, tuple[str, ...]]:
    return {name: values for name, text in parameters.items() if len(values := _values(name, text, flag)) > 1}


def _values(name: str, text: str, flag: str) -> tuple[str, ...]:
    """Each value once, in the order given. A text in brackets is one value: a tuple."""
    if text.startswith("("):
        return (text,)
    return tuple(dict.fromkeys(value for part in text.split(",") for value in _part(name, part.strip(), flag)))


def _part(name: str, text: str, flag: str) -> tuple[str, ...]:
    found = _RANGE.fullmatch(text)
    if found is None:
        return (text,)
    first, last, step = int(found["first"]), int(found["last"]), int(found["step"] or 1)
    if last < first or step < 1 or (last - first) // step >= MOST:
        remedy = f"write it like {flag} {name}=2..9 or {flag} {name}=2..20:3, with at most {MOST} values"
        raise UsageError.of(f"{flag} {name}={text}: no such range", remedy=remedy)
    return tuple(map(str, range(first, last + 1, step)))
