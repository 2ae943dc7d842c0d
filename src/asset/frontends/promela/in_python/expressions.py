"""Expressions of Promela as text of Python, with the least and the greatest value that each can have."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import OPERATORS
from asset.frontends.promela.evaluating import fields_of
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.in_python.names import Names, Unsaid
from asset.frontends.promela.in_python.places import Places
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.types import INT, Basic, Structure, Type, scalars

A = TypeVar("A")

_LEVELS = (("or",), ("and",), ("not",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",), ("<<", ">>"))
_BINDS = {op: k for k, level in enumerate((*_LEVELS, ("+", "-"), ("*", "//", "%"))) for op in level}
_UNARY, _ATOM = len(_LEVELS) + 2, len(_LEVELS) + 3
_COMPARING = _BINDS["=="]


@dataclass(frozen=True, slots=True)
class Text:
    """Code, how tightly its outermost operator binds, and bounds of its values."""

    code: str
    binds: int
    lo: int
    hi: int
    truth: bool = False
    """Whether it is a bool of Python."""

    def within(self, level: int) -> str:
        return self.code if self.binds >= level else f"({self.code})"


def atom(code: str, lo: int, hi: int) -> Text:
    return Text(code, _ATOM, lo, hi)


def truth(code: str, op: str) -> Text:
    return Text(code, _BINDS[op], 0, 1, True)


class Expressions:
    """Writes the expressions of one process, or of what looks at all of them (no kind)."""

    def __init__(self, names: Names, mtypes: dict[tuple[str, str], str], kind: Kind | None, helpers: set[str]) -> None:
        self.names = names
        self.places: Mapping[str, Places] = {}
        """Where other processes are, by their proctypes."""
        self.kind = kind
        self._mtypes = mtypes
        self._helpers = helpers
        """The functions that the module needs."""

    # --- what is stored -----------------------------------------------------------------------------------------------

    def number(self, e: s.Expr) -> Text:
        """The expression as a number."""
        found = self._value(e)
        return Text(f"int({found.code})", _ATOM, 0, 1) if found.truth else found

    def fitted(self, found: Text, type: Basic) -> str:
        """What a variable of the type has after the value was assigned to it."""
        if type.lo <= found.lo and found.hi <= type.hi:
            return found.code
        if not type.signed:
            return f"{found.within(_BINDS['*'])} % {1 << type.bits}"
        self._helpers.add(f"as_{type.kind}")
        return f"as_{type.kind}({found.code})"

    def test(self, e: s.Expr) -> Text:
        """The expression as a condition."""
        found = self._value(e)
        if found.truth:
            return found
        if found.code.lstrip("-").isdigit():
            return atom(str(int(found.code) != 0), 0, 1)
        return found if (found.lo, found.hi) == (0, 1) else truth(f"{found.within(_COMPARING + 1)} != 0", "!=")

    def own(self) -> str:
        """The index of the process among those of its kind, in brackets; nothing if it is the only one."""
        if self.kind is None or self.kind.single:
            return ""
        return f"[{shifted('pid', -self.kind.pids[0])}]"

    def variable(self, e: s.Reference) -> str:
        if e.declaration.owner is not None and self.kind is None:
            raise Unsaid("variables of other processes")
        return self._cell(e, self.own() if e.declaration.owner is not None else "")

    def _cell(self, e: s.Reference, own: str) -> str:
        """The variable of the process that has the index."""
        text = f"self.{self.names.of(e.declaration)}{own}{self._at(e.declaration.length, e.index)}"
        found: Type | None = e.declaration.type
        for part in e.parts:
            member = found.member(part.name) if isinstance(found, Structure) else None
            assert member is not None
            text += f".{part_name(part.name)}{self._at(member.length, part.index)}"
            found = member.type
        return text

    def _at(self, length: int | None, index: s.Expr | None) -> str:
        if length is None:
            return ""
        return f"[{0 if index is None else self.number(index).code}]"

    def channel(self, e: s.Reference) -> tuple[str, s.ChannelMaker]:
        """The queue of the channel, and how it is made."""
        maker = e.declaration.initial
        if not isinstance(maker, s.ChannelMaker) or e.declaration.owner is not None:
            raise Unsaid("channels that variables name, or that processes make")
        if e.parts:
            raise Unsaid("channels in structures")
        if maker.capacity == 0:
            raise Unsaid("rendezvous, which are steps of two processes")
        return self.variable(e), maker

    # --- values -------------------------------------------------------------------------------------------------------

    def _value(self, e: s.Expr) -> Text:
        match e:
            case s.Number(value=value, name=name):
                return self._constant(value, name)
            case s.Reference():
                return self._reference(e)
            case s.Predefined(name="_pid") if self.kind is not None:
                first, last = self.kind.pids[0], self.kind.pids[-1]
                return atom(str(first), first, first) if self.kind.single else atom("pid", first, last)
            case s.Predefined(name="_nr_pr"):
                return atom("self.nr_pr", 0, 255)
            case s.Unary():
                return self._unary(e)
            case s.Binary():
                return self._binary(e)
            case s.Conditional():
                test, then, orelse = self.test(e.test), self.number(e.then), self.number(e.orelse)
                code = f"{then.code} if {test.code} else {orelse.code}"
                return Text(code, -1, min(then.lo, orelse.lo), max(then.hi, orelse.hi))
            case s.ChannelQuery():
                return self._query(e)
            case s.Poll():
                found = self.there(e)
                return truth(found, "not" if found.startswith("any(") or " and " not in found else "and")
            case s.RemoteLabel():
                return self._remote_label(e)
            case s.RemoteVariable():
                return self._remote_variable(e)
        raise Unsaid("what looks at other processes (timeout, enabled)")

    # --- other processes ----------------------------------------------------------------------------------------------

    def _other(self, e: s.RemoteLabel | s.RemoteVariable) -> tuple[Places, int]:
        """The process that is meant, if that is known."""
        places = self.places.get(e.process)
        if places is None:
            raise Unsaid("remote references to what is no process")
        if self.kind is places.kind and any(
            step.atomic for steps in self.kind.control.steps.values() for step in steps
        ):
            raise Unsaid("remote references of a process with atomic sequences to its own kind")
        pid = places.kind.pids[0] if e.number is None and places.kind.single else None
        if e.number is not None:
            found = self.number(e.number)
            pid = found.lo if found.lo == found.hi else None
        if pid is None:
            raise Unsaid("remote references to a process whose number is not known")
        return places, pid

    def _remote_label(self, e: s.RemoteLabel) -> Text:
        places, pid = self._other(e)
        place = places.kind.control.labels.get(e.label)
        if place is None or not place.number or pid not in places.kind.pids:
            return Text("False", _ATOM, 0, 0, True)
        found = places.at(places.named(e.label), str(pid))
        return truth(found, "not") if found.startswith("not ") else Text(found, _ATOM, 0, 1, True)

    def _remote_variable(self, e: s.RemoteVariable) -> Text:
        places, pid = self._other(e)
        declaration = next((d for d in places.kind.process.locals if d.name == e.name), None)
        if declaration is None or pid not in places.kind.pids:
            raise Unsaid("remote references to what no process has")
        own = "" if places.kind.single else f"[{pid - places.kind.pids[0]}]"
        reference = s.Reference(e.span, declaration, e.index, e.parts)
        type = type_of(reference)
        if not isinstance(type, Basic) or type.kind == "chan":
            raise Unsaid("channels and structures as values")
        return atom(self._cell(reference, own), type.lo, type.hi)

    def _constant(self, value: int, name: str | None) -> Text:
        if name is None:
            return Text(str(value), _ATOM if value >= 0 else _UNARY, value, value)
        found = [text for (_, each), text in self._mtypes.items() if each == name]
        return atom(found[0], value, value) if found else atom(str(value), value, value)

    def _reference(self, e: s.Reference) -> Text:
        type = type_of(e)
        if not isinstance(type, Basic) or type.kind == "chan":
            raise Unsaid("channels and structures as values")
        return atom(self.variable(e), type.lo, type.hi)

    def _unary(self, e: s.Unary) -> Text:
        if e.op == "!":
            return truth(f"not {self.test(e.operand).within(_BINDS['not'])}", "not")
        operand = self.number(e.operand)
        if e.op == "-":
            return self._as_int(Text(f"-{operand.within(_UNARY)}", _UNARY, -operand.hi, -operand.lo))
        return Text(f"~{operand.within(_UNARY)}", _UNARY, ~operand.hi, ~operand.lo)

    def _binary(self, e: s.Binary) -> Text:
        if e.op in ("&&", "||"):
            word = "and" if e.op == "&&" else "or"
            sides = [self.test(side).within(_BINDS[word]) for side in (e.left, e.right)]
            return truth(f" {word} ".join(sides), word)
        left, right = self.number(e.left), self.number(e.right)
        if e.op in ("==", "!=", "<", "<=", ">", ">="):
            return truth(f"{left.within(_COMPARING + 1)} {e.op} {right.within(_COMPARING + 1)}", e.op)
        if e.op in ("/", "%"):
            return self._division(e.op, left, right)
        code = f"{left.within(_BINDS[e.op])} {e.op} {right.within(_BINDS[e.op] + 1)}"
        if e.op in ("&", "|", "^"):
            most = (1 << max(left.hi, right.hi).bit_length()) - 1
            bounds = (0, most) if min(left.lo, right.lo) >= 0 else (INT.lo, INT.hi)
            return Text(code, _BINDS[e.op], *bounds)
        if e.op in ("<<", ">>"):
            return self._shift(e.op, code, left, right)
        corners = [OPERATORS[e.op](a, b) for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
        return self._as_int(Text(code, _BINDS[e.op], min(corners), max(corners)))

    def _shift(self, op: str, code: str, left: Text, right: Text) -> Text:
        if not 0 <= right.lo <= right.hi <= 31:
            raise Unsaid("shifts by what may be no number from 0 to 31")
        if op == ">>":
            return Text(code, _BINDS[op], min(left.lo, 0), max(left.hi, 0))
        least, most = min(left.lo << right.hi, left.lo), max(left.hi << right.hi, left.hi)
        return self._as_int(Text(code, _BINDS[op], least, most))

    def _division(self, op: str, left: Text, right: Text) -> Text:
        """C rounds towards 0."""
        if left.lo >= 0 and right.lo >= 0:
            written = "//" if op == "/" else "%"
            most = left.hi if op == "/" else min(left.hi, max(right.hi - 1, 0))
            return Text(f"{left.within(_BINDS['*'])} {written} {right.within(_BINDS['*'] + 1)}", _BINDS["*"], 0, most)
        name, most = "quotient" if op == "/" else "remainder", max(abs(left.lo), abs(left.hi))
        self._helpers.add(name)
        return self._as_int(atom(f"{name}({left.code}, {right.code})", -most, most))

    def _as_int(self, found: Text) -> Text:
        return found if INT.lo <= found.lo and found.hi <= INT.hi else atom(self.fitted(found, INT), INT.lo, INT.hi)

    # --- channels -----------------------------------------------------------------------------------------------------

    def _query(self, e: s.ChannelQuery) -> Text:
        queue, maker = self.channel(e.channel)
        if e.query == "len":
            return atom(f"len({queue})", 0, maker.capacity)
        asked = f"{queue}.{e.query.removeprefix('n') if e.query.startswith('n') else e.query}()"
        return truth(f"not {asked}", "not") if e.query.startswith("n") else Text(asked, _ATOM, 0, 1, True)

    def there(self, e: s.Receive | s.Poll) -> str:
        """Whether there is a message that the receive takes."""
        queue, maker = self.channel(e.channel)
        if e.anywhere and self.matches(e, maker, ""):
            return f"any({self.matches(e, maker, f'{queue}[k]')} for k in range(len({queue})))"
        tests = [f"not {queue}.empty()", self.matches(e, maker, f"{queue}.peek()")]
        return " and ".join(test for test in tests if test)

    def matches(self, e: s.Receive | s.Poll, maker: s.ChannelMaker, message: str) -> str:
        """Whether the message has the values that the receive asks for; empty if it asks for none."""
        single, tests = len(message_fields(maker)) == 1, []
        for k, argument in enumerate(taken(e, maker)):
            if argument.matched and argument.value is not None:
                part = message if single else f"{message}[{k}]"
                tests.append(f"{part} == {self.number(argument.value).within(_COMPARING + 1)}")
        return " and ".join(tests)


def message_fields(maker: s.ChannelMaker) -> list[Basic]:
    """The numbers that a message carries."""
    found = [basic for each in maker.fields for _, basic in scalars(each)]
    if any(basic.kind == "chan" for basic in found):
        raise Unsaid("channels in messages")
    return found


def taken(e: s.Receive | s.Poll, maker: s.ChannelMaker) -> list[s.Argument]:
    """An argument for each number of the message."""
    found: list[s.Argument] = []
    for argument in e.arguments:
        if isinstance(argument.value, s.Reference) and isinstance(type_of(argument.value), Structure):
            found += [s.Argument(argument.span, part, argument.matched) for part in fields_of(argument.value)]
        else:
            found.append(argument)
    return _as_many(found, maker)


def given(e: s.Send, maker: s.ChannelMaker) -> list[s.Expr]:
    """What is sent for each number of the message."""
    found: list[s.Expr] = []
    for argument in e.arguments:
        if isinstance(argument, s.Reference) and isinstance(type_of(argument), Structure):
            found += fields_of(argument)
        else:
            found.append(argument)
    return _as_many(found, maker)


def _as_many(found: list[A], maker: s.ChannelMaker) -> list[A]:
    if len(found) != len(message_fields(maker)):
        raise Unsaid("messages with another number of fields than their channel")
    return found


def part_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in ("copy", "self") else name


def shifted(text: str, by: int) -> str:
    return text if by == 0 else f"{text} {'+' if by > 0 else '-'} {abs(by)}"


def grouped(values: Sequence[str]) -> str:
    """A message: its only field, or a tuple."""
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def negated(test: str) -> str:
    """The opposite of a condition, as short as it can be told."""
    if test.startswith("not ") and " and " not in test and " or " not in test:
        return test.removeprefix("not ")
    plain = all(character.isalnum() or character in "._[]()" for character in test)
    return f"not {test}" if plain else f"not ({test})"
