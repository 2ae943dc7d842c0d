"""Amounts of memory and of time as people write them: `512M`, `4G`, `1.5GiB`; `30s`, `5m`, `2h`."""

from __future__ import annotations

import re

from asset.errors import UsageError

_SIZE = re.compile(r"(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<prefix>[KMGT]?)(?P<suffix>i?B|)", re.IGNORECASE)


def parse_size(text: str) -> int:
    """The number of bytes. K, M, G and T are powers of 1024, as are KiB, MiB…; KB, MB… are powers of 1000."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match["suffix"].lower() == "ib" and not match["prefix"]):
        raise _not_a_size(text)
    base = 1000 if match["suffix"].lower() == "b" else 1024
    power = " kmgt".index(match["prefix"].lower() or " ")
    size = float(match["number"]) * base**power
    if size < 1:
        raise _not_a_size(text)
    if size >= 2**63:
        raise UsageError.of(f"{text!r} is more memory than there can be", remedy="leave it out: there is no limit then")
    return int(size)


def _not_a_size(text: str) -> UsageError:
    return UsageError.of(f"{text!r} is not an amount of memory", remedy="write it like 512M, 4G or 1.5GiB")


_TIME = re.compile(r"(?P<number>\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>[smh]?)", re.IGNORECASE)
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def parse_time(text: str) -> float:
    """The number of seconds."""
    match = _TIME.fullmatch(text.strip())
    seconds = 0.0 if match is None else float(match["number"]) * _SECONDS[match["unit"].lower()]
    if seconds <= 0:
        raise UsageError.of(f"{text!r} is not an amount of time", remedy="write it like 30s, 5m or 2h")
    return seconds
