"""Numbers as people read them."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """`1 state`, `1,350 edges`, `no terminal states`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s" if number else f"no {noun}s"


def seconds(duration: float) -> str:
    if duration < 10:
        return f"{duration:.3f} s"
    if duration < 120:
        return f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60:,} h {minutes % 60:02} min"


def size(number: float) -> str:
    """A number of bytes, in powers of 1024."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:,.0f} {unit}" if unit == "bytes" else f"{number:,.1f} {unit}"
        number /= 1024
    return f"{number:,.1f} TiB"


def rate(number: int, duration: float) -> str:
    """`number` in `duration` as so many a second, to three digits: `948 k`, `32.1 M`. The duration is not zero."""
    each = number / duration
    for unit in ("", " k", " M"):
        if each < 999.5:
            return f"{each:.{0 if each >= 100 or not unit else 1}f}{unit}"
        each /= 1000
    return f"{each:,.1f} G"
