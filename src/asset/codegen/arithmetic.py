"""Operators on 64-bit integers, with just those checks that their operands' intervals do not make superfluous."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from asset.analysis.values.interval import Interval, binary, unary
from asset.codegen.builder import Builder
from asset.ir.faults import INT_MIN, FaultKind
from asset.ir.nodes import BinaryOp, UnaryOp

INTRINSICS = """
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.trap()
"""

# a ** b for b >= 0 by repeated squaring. Squares that are not used any more are not computed: they may overflow
# although the result does not. A square that is used and overflows makes the result overflow too.
POWER = """
define private {i64, i1} @power(i64 %base, i64 %exponent) #0 {
entry:
  br label %head
head:
  %result = phi i64 [1, %entry], [%product, %square]
  %b = phi i64 [%base, %entry], [%bb, %square]
  %e = phi i64 [%exponent, %entry], [%rest, %square]
  %odd = trunc i64 %e to i1
  %factor = select i1 %odd, i64 %b, i64 1
  %m = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %result, i64 %factor)
  %product = extractvalue {i64, i1} %m, 0
  %rest = lshr i64 %e, 1
  %more = icmp ne i64 %rest, 0
  %lost = extractvalue {i64, i1} %m, 1
  %going = xor i1 %lost, true
  %again = and i1 %more, %going
  br i1 %again, label %square, label %exit
square:
  %s = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %b, i64 %b)
  %bb = extractvalue {i64, i1} %s, 0
  %too_large = extractvalue {i64, i1} %s, 1
  br i1 %too_large, label %overflow, label %head
overflow:
  ret {i64, i1} {i64 0, i1 true}
exit:
  ret {i64, i1} %m
}
"""

_PREDICATES = {
    BinaryOp.EQ: "eq",
    BinaryOp.NE: "ne",
    BinaryOp.LT: "slt",
    BinaryOp.LE: "sle",
    BinaryOp.GT: "sgt",
    BinaryOp.GE: "sge",
}
_BITWISE = {BinaryOp.AND: "and", BinaryOp.OR: "or", BinaryOp.XOR: "xor"}
_CHECKED = {BinaryOp.ADD: "add", BinaryOp.SUB: "sub", BinaryOp.MUL: "mul"}
_EXTREMA = {BinaryOp.MIN: "smin", BinaryOp.MAX: "smax"}


class Operand(NamedTuple):
    """A value at run time, and what is known of it."""

    text: str
    interval: Interval


class Arithmetic:
    """Writes operators. `fault` gives the label to jump to if a fault of some kind occurs."""

    def __init__(self, b: Builder, fault: Callable[[FaultKind], str]) -> None:
        self.b = b
        self.fault = fault

    def fault_if(self, condition: str, kind: FaultKind) -> None:
        self.b.leave_if(condition, self.fault(kind))

    def extend(self, condition: str) -> str:
        return self.b.let(f"zext i1 {condition} to i64")

    def compare(self, op: BinaryOp, left: str, right: str) -> str:
        """The comparison as one bit."""
        return self.b.let(f"icmp {_PREDICATES[op]} i64 {left}, {right}")

    def unary(self, op: UnaryOp, a: Operand) -> str:
        match op:
            case UnaryOp.NOT:
                return self.extend(self.b.let(f"icmp eq i64 {a.text}, 0"))
            case UnaryOp.INVERT:
                return self.b.let(f"xor i64 {a.text}, -1")
            case UnaryOp.NEGATE | UnaryOp.ABS:
                if not unary(op, a.interval).fits:
                    self.fault_if(self.b.let(f"icmp eq i64 {a.text}, {INT_MIN}"), FaultKind.OVERFLOW)
                if op is UnaryOp.NEGATE:
                    return self.b.let(f"sub i64 0, {a.text}")
                return self.b.let(f"call i64 @llvm.abs.i64(i64 {a.text}, i1 true)")

    def binary(self, op: BinaryOp, a: Operand, b: Operand) -> str:
        if op in _PREDICATES:
            return self.extend(self.compare(op, a.text, b.text))
        if op in _BITWISE:
            return self.b.let(f"{_BITWISE[op]} i64 {a.text}, {b.text}")
        if op in _EXTREMA:
            return self.b.let(f"call i64 @llvm.{_EXTREMA[op]}.i64(i64 {a.text}, i64 {b.text})")
        if op in _CHECKED:
            return self.checked(_CHECKED[op], a.text, b.text, needed=not binary(op, a.interval, b.interval).fits)
        match op:
            case BinaryOp.FLOORDIV:
                return self._floordiv(a, b)
            case BinaryOp.MOD:
                return self._mod(a, b)
            case BinaryOp.LSHIFT:
                return self._lshift(a, b)
            case BinaryOp.RSHIFT:
                return self._rshift(a, b)
            case BinaryOp.POW:
                return self._pow(a, b)
        raise AssertionError(op)

    def checked(self, name: str, a: str, b: str, needed: bool) -> str:
        """Sum, difference or product; OVERFLOW if it does not fit, which is checked only if it may not."""
        if not needed:
            return self.b.let(f"{name} nsw i64 {a}, {b}")
        return self._unless_overflow(f"call {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64 {a}, i64 {b})")

    def _unless_overflow(self, call: str) -> str:
        pair = self.b.let(call)
        self.fault_if(self.b.let(f"extractvalue {{i64, i1}} {pair}, 1"), FaultKind.OVERFLOW)
        return self.b.let(f"extractvalue {{i64, i1}} {pair}, 0")

    # --- division: rounds down --------------------------------------------------------------------------------

    def _divisor(self, b: Operand) -> None:
        if 0 in b.interval:
            self.fault_if(self.b.let(f"icmp eq i64 {b.text}, 0"), FaultKind.DIVISION)

    def _floordiv(self, a: Operand, b: Operand) -> str:
        self._divisor(b)
        if a.interval.lo >= 0 and b.interval.lo >= 0:
            return self.b.let(f"udiv i64 {a.text}, {b.text}")
        if not binary(BinaryOp.FLOORDIV, a.interval, b.interval).fits:
            lowest = self.b.let(f"icmp eq i64 {a.text}, {INT_MIN}")
            minus_one = self.b.let(f"icmp eq i64 {b.text}, -1")
            self.fault_if(self.b.let(f"and i1 {lowest}, {minus_one}"), FaultKind.OVERFLOW)
        quotient = self.b.let(f"sdiv i64 {a.text}, {b.text}")
        rest = self.b.let(f"sub i64 {a.text}, {self.b.let(f'mul i64 {quotient}, {b.text}')}")
        return self.b.let(f"add i64 {quotient}, {self.b.let(f'sext i1 {self._wrong_sign(rest, b.text)} to i64')}")

    def _wrong_sign(self, rest: str, divisor: str) -> str:
        """Whether the remainder of a division that rounded towards zero is not 0 and has not the divisor's sign."""
        some = self.b.let(f"icmp ne i64 {rest}, 0")
        differ = self.b.let(f"icmp slt i64 {self.b.let(f'xor i64 {rest}, {divisor}')}, 0")
        return self.b.let(f"and i1 {some}, {differ}")

    def _mod(self, a: Operand, b: Operand) -> str:
        self._divisor(b)
        smallest = b.interval.lo
        if smallest > 0 and a.interval.within(0, smallest - 1):
            return a.text
        if smallest > 0 and a.interval.within(0, 2 * smallest - 1):
            return self._corrected("sub", a.text, b.text, self.b.let(f"icmp sge i64 {a.text}, {b.text}"))
        if smallest > 0 and a.interval.within(-smallest, smallest - 1):
            return self._corrected("add", a.text, b.text, self.b.let(f"icmp slt i64 {a.text}, 0"))
        if a.interval.lo >= 0 and smallest >= 0:
            return self.b.let(f"urem i64 {a.text}, {b.text}")
        divisor = b.text
        if -1 in b.interval:  # the processor cannot divide the least number by -1; a remainder by 1 is 0 as well
            minus_one = self.b.let(f"icmp eq i64 {b.text}, -1")
            divisor = self.b.let(f"select i1 {minus_one}, i64 1, i64 {b.text}")
        rest = self.b.let(f"srem i64 {a.text}, {divisor}")
        return self._corrected("add", rest, b.text, self._wrong_sign(rest, b.text))

    def _corrected(self, name: str, value: str, by: str, condition: str) -> str:
        other = self.b.let(f"{name} i64 {value}, {by}")
        return self.b.let(f"select i1 {condition}, i64 {other}, i64 {value}")

    # --- shifts and powers --------------------------------------------------------------------------------------

    def _distance(self, b: Operand) -> None:
        if b.interval.lo < 0:
            self.fault_if(self.b.let(f"icmp slt i64 {b.text}, 0"), FaultKind.SHIFT)

    def _at_most_63(self, b: Operand) -> str:
        if b.interval.within(0, 63):
            return b.text
        return self.b.let(f"call i64 @llvm.umin.i64(i64 {b.text}, i64 63)")

    def _rshift(self, a: Operand, b: Operand) -> str:
        self._distance(b)
        return self.b.let(f"ashr i64 {a.text}, {self._at_most_63(b)}")

    def _lshift(self, a: Operand, b: Operand) -> str:
        self._distance(b)
        distance = self._at_most_63(b)
        result = self.b.let(f"shl i64 {a.text}, {distance}")
        if not binary(BinaryOp.LSHIFT, a.interval, b.interval).fits:
            back = self.b.let(f"ashr i64 {result}, {distance}")
            lost = self.b.let(f"icmp ne i64 {back}, {a.text}")
            if not b.interval.within(0, 63):
                far = self.b.let(f"icmp ugt i64 {b.text}, 63")
                some = self.b.let(f"icmp ne i64 {a.text}, 0")
                lost = self.b.let(f"or i1 {lost}, {self.b.let(f'and i1 {far}, {some}')}")
            self.fault_if(lost, FaultKind.OVERFLOW)
        return result

    def _pow(self, a: Operand, b: Operand) -> str:
        self._distance(b)
        return self._unless_overflow(f"call {{i64, i1}} @power(i64 {a.text}, i64 {b.text})")
