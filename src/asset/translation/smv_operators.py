"""Operators of the IR that SMV has not, or has in another sense: written with what every version of it understands.

Division rounds down in the IR; that of SMV is only used on numbers that are not negative. Bits are those of two's
complement, as many as the operands can need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asset.analysis.values.interval import Interval
from asset.errors import UsageError

LARGEST = 2**30
"""Numbers of SMV are 32 bits wide."""
MOST_CASES = 256
FEW_DIVISORS = 256


@dataclass(frozen=True, slots=True)
class Operand:
    """A number as it is written, and what it can be."""

    text: str
    within: Interval

    @property
    def known(self) -> int | None:
        return self.within.lo if self.within.lo == self.within.hi else None


_Division = Callable[[Operand, Operand], str]
_OfNumber = Callable[[int], str]


def operation(name: str, operands: Sequence[Operand]) -> str:
    """The result of the operator. Raises UsageError if numbers would be too large for SMV."""
    if name in ("min", "max"):
        return _extremum(name, operands)
    if len(operands) == 1:
        return _of_one(name, operands[0].text)
    a, b = operands
    match name:
        case "*":
            return f"({a.text} * {b.text})"
        case "//":
            return _by_sign(a, b, _quotient)
        case "%":
            return _by_sign(a, b, _remainder)
        case "&" | "|" | "^":
            return _bitwise(name, a, b)
        case "<<":
            return _cases_of(b, lambda k: f"({2**k} * {a.text})", _largest(a) * 2 ** max(0, min(b.within.hi, 64)))
        case ">>":
            return _cases_of(b, lambda k: _quotient(a, Operand(str(2**k), Interval(2**k, 2**k))), _largest(a))
        case "**":
            return _cases_of(b, lambda k: _power(a, k), _largest(a) ** max(1, min(b.within.hi, 64)))
    raise UsageError.of(f"the operator {name} cannot be written in SMV", remedy="use another one")


def _of_one(name: str, text: str) -> str:
    return {"abs": f"({text} < 0 ? -{_bracketed(text)} : {text})", "~": f"(-{_bracketed(text)} - 1)"}.get(
        name, f"(-{_bracketed(text)})"
    )


def _extremum(name: str, operands: Sequence[Operand]) -> str:
    relation = "<" if name == "min" else ">"
    result = operands[0].text
    for other in operands[1:]:
        result = f"({result} {relation} {other.text} ? {result} : {other.text})"
    return result


# --- division ---------------------------------------------------------------------------------------------------------


def _by_sign(a: Operand, b: Operand, made: _Division) -> str:
    """Division by a positive number, or of both numbers negated. Division by 0 is a model error elsewhere."""
    if b.known is not None and b.known > 0:
        return made(a, b)
    if b.known == 0:
        return "0"
    above = _above_zero(b)
    if b.within.lo >= 0:
        return made(a, above)
    below = _above_zero(Operand(f"(-{_bracketed(b.text)})", Interval(-b.within.hi, -b.within.lo)))
    negated = Operand(f"(-{_bracketed(a.text)})", Interval(-a.within.hi, -a.within.lo))
    back = made(negated, below)
    if made is _remainder:
        back = f"(-{back})"
    return back if b.within.hi <= 0 else f"({b.text} > 0 ? {made(a, above)} : {back})"


def _above_zero(b: Operand) -> Operand:
    """The divisor if it is positive, else another positive number: NuSMV evaluates branches that are never taken, too.

    Inside of operands it also evaluates what a branch would be if its condition were false. So if there are few values,
    each is written by itself, and none of them is 0."""
    least, most = max(1, b.within.lo), max(1, b.within.hi)
    if least == most:
        return Operand(str(most), Interval(most, most))
    text = f"({b.text} > 0 ? {b.text} : 1)"
    if most - least < FEW_DIVISORS:
        arms = "".join(f"{b.text} = {k} : {k}; " for k in range(least, most))
        text = f"case {arms}TRUE : {most}; esac"
    return Operand(text, Interval(least, most))


def _raised(a: Operand, b: Operand) -> tuple[str, int] | None:
    """The number, with so many times the divisor added that it is not negative; None if that is too large."""
    times = 0 if a.within.lo >= 0 else -(a.within.lo // b.within.lo)
    _require_small(_largest(a) + b.within.hi)
    if _largest(a) + times * b.within.hi > LARGEST:
        return None
    return (a.text if not times else f"({a.text} + {times} * {b.text})"), times


def _quotient(a: Operand, b: Operand) -> str:
    raised = _raised(a, b)
    if raised is None:
        above, below = _by_its_sign(a)
        return f"({a.text} < 0 ? -({below} / {b.text}) - 1 : {above} / {b.text})"
    text, times = raised
    return f"({text} / {b.text})" if not times else f"(({text} / {b.text}) - {times})"


def _remainder(a: Operand, b: Operand) -> str:
    raised = _raised(a, b)
    if raised is None:
        above, below = _by_its_sign(a)
        return f"({a.text} < 0 ? {b.text} - 1 - ({below} mod {b.text}) : {above} mod {b.text})"
    return f"({raised[0]} mod {b.text})"


def _by_its_sign(a: Operand) -> tuple[str, str]:
    """The number if it is not negative, and how far it is below -1 if it is: neither is ever negative."""
    return f"({a.text} > 0 ? {a.text} : 0)", f"({a.text} < 0 ? -{_bracketed(a.text)} - 1 : 0)"


# --- bits -------------------------------------------------------------------------------------------------------------


def _bitwise(name: str, a: Operand, b: Operand) -> str:
    for mask, other in ((a, b), (b, a)):
        size = (mask.known or 0) + 1
        if name == "&" and mask.known is not None and mask.known >= 0 and size & (size - 1) == 0:
            return _last_bits(other, size)
    width = max(_width(a.within), _width(b.within))
    _require_small(2 ** (width + 1))
    signed = a.within.lo < 0 or b.within.lo < 0
    pieces = [_bit(name, a, b, k, width) for k in range(width)]
    if signed:
        pieces.append(f"-{_bit(name, a, b, width, width)}")
    kept = [each for each in pieces if each not in ("0", "-0")]
    return f"({' + '.join(kept)})" if kept else "0"


def _last_bits(a: Operand, size: int) -> str:
    """The number modulo a power of 2."""
    if a.within.lo >= 0 and a.within.hi < size:
        return a.text
    return _remainder(a, Operand(str(size), Interval(size, size)))


def _width(within: Interval) -> int:
    """How many bits there are besides that of the sign."""
    return max(within.hi.bit_length(), (-within.lo - 1).bit_length() if within.lo < 0 else 0, 1)


def _bit(name: str, a: Operand, b: Operand, k: int, width: int) -> str:
    """2 to the power of k if the result has that bit, else 0."""
    ones = [_has_bit(each, k, width) for each in (a, b)]
    known = [each for each in ones if each in ("TRUE", "FALSE")]
    if len(known) == 2:
        truths = [each == "TRUE" for each in ones]
        result = {"&": all(truths), "|": any(truths), "^": truths[0] != truths[1]}[name]
        return str(2**k) if result else "0"
    if (name == "&" and "FALSE" in known) or (name == "|" and "TRUE" in known):
        return "0" if name == "&" else str(2**k)
    joined = f"{ones[0]} != {ones[1]}" if name == "^" else f"{ones[0]} {name} {ones[1]}"
    return f"(({joined}) ? {2**k} : 0)"


def _has_bit(a: Operand, k: int, width: int) -> str:
    if a.known is not None:
        return "TRUE" if a.known >> k & 1 else "FALSE"
    text = a.text if a.within.lo >= 0 else f"({a.text} < 0 ? {a.text} + {2 ** (width + 1)} : {a.text})"
    shifted = text if k == 0 else f"({text} / {2**k})"
    return f"(({shifted} mod 2) = 1)"


# --- by the values of an operand --------------------------------------------------------------------------------------


def _largest(a: Operand) -> int:
    return max(abs(a.within.lo), abs(a.within.hi), 1)


def _power(a: Operand, k: int) -> str:
    return f"({' * '.join([a.text] * k)})" if k else "1"


def _cases_of(by: Operand, made: _OfNumber, largest: int) -> str:
    """A case for each number that the second operand can be; a negative one is a model error elsewhere."""
    numbers = range(max(0, by.within.lo), by.within.hi + 1)
    if not numbers or len(numbers) > MOST_CASES:
        raise UsageError.of("a shift or a power by too many numbers", remedy="make the range of the number smaller")
    _require_small(largest)
    *before, last = numbers
    arms = "".join(f"{by.text} = {k} : {made(k)}; " for k in before)
    return f"case {arms}TRUE : {made(last)}; esac" if before else made(last)


def _require_small(number: int) -> None:
    if number > LARGEST:
        raise UsageError.of(f"{number:,} is too large for SMV", remedy="make the ranges of variables smaller")


def _bracketed(text: str) -> str:
    return text if text.isidentifier() or text.startswith("(") else f"({text})"
