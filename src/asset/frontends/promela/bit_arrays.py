"""Arrays of bits, and channels whose messages are a single bit: SPIN keeps bytes for them, which hold what bits cannot.

A `bit` or `bool` by itself is cut off to one bit, and so is one among several fields of a message. In an array, or as
the only field, SPIN's verifier has a byte. Those that are given nothing but 0 and 1 are left as they are here, as that
makes no difference; the others become bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from asset.frontends.promela import syntax as s
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.naming import parts_of
from asset.frontends.promela.types import BYTE, Basic, Type, scalars

TRUTHS = frozenset(["==", "!=", "<", "<=", ">", ">=", "&&", "||"])


def as_byte(type: Type) -> Type:
    """The same with room for a byte, if it is a bit."""
    return replace(type, bits=BYTE.bits) if is_bit(type) and isinstance(type, Basic) else type


def is_bit(type: Type) -> bool:
    return isinstance(type, Basic) and type.bits == 1


def widen_bits(module: s.Module) -> None:
    """Makes bytes of the bits that may be given something else than 0 and 1."""
    _Widening(module).run()


class _Widening:
    def __init__(self, module: s.Module) -> None:
        self._nodes = [node for body in module.bodies for node in parts_of(body.body)]
        self._declared = [*module.globals, *(d for body in module.bodies for d in body.locals)]
        self._assigned = {reference.declaration for reference in self._targets()}
        self._grown = False

    def run(self) -> None:
        for declaration in self._declared:
            if not all(value in (0, 1) for value in _first_values(declaration)):
                self._widen(declaration)
        self._grown = True
        while self._grown:
            self._grown = False
            for node in self._nodes:
                self._look_at(node)

    def _targets(self) -> Iterator[s.Reference]:
        for node in self._nodes:
            match node:
                case s.Assign(target=target):
                    yield target
                case s.Receive(arguments=arguments):
                    yield from (a.value for a in arguments if not a.matched and isinstance(a.value, s.Reference))

    def _look_at(self, node: s.Node) -> None:
        match node:
            case s.Assign(target=target, value=value) if not _is_truth(value):
                self._widen_cell(target)
            case s.Receive(channel=channel, arguments=arguments):
                fields = self._fields(channel)
                for k, argument in enumerate(arguments):
                    known = fields is not None and len(fields) == len(arguments) and is_bit(fields[k])
                    if isinstance(argument.value, s.Reference) and not argument.matched and not known:
                        self._widen_cell(argument.value)
            case s.Send(channel=channel, arguments=(value,)) if not _is_truth(value):
                made = [channel.declaration] if self._fields(channel) is not None else self._declared
                for declaration in made:
                    self._widen_messages(declaration)

    def _fields(self, channel: s.Reference) -> list[Basic] | None:
        """The types of the numbers in a message; None if it is not known which channel it is."""
        maker = channel.declaration.initial
        if channel.parts or not isinstance(maker, s.ChannelMaker) or channel.declaration in self._assigned:
            return None
        return [basic for field in maker.fields for _, basic in scalars(field)]

    def _widen_cell(self, target: s.Reference) -> None:
        if not target.parts and target.declaration.length is not None:
            self._widen(target.declaration)

    def _widen(self, declaration: s.Declaration) -> None:
        if declaration.length is not None and is_bit(declaration.type):
            declaration.type, self._grown = as_byte(declaration.type), True

    def _widen_messages(self, declaration: s.Declaration) -> None:
        maker = declaration.initial
        if isinstance(maker, s.ChannelMaker) and len(maker.fields) == 1 and is_bit(maker.fields[0]):
            declaration.initial, self._grown = replace(maker, fields=(as_byte(maker.fields[0]),)), True


def _first_values(declaration: s.Declaration) -> tuple[int, ...]:
    match declaration.initial:
        case s.InitialList(values=values):
            return values
        case None | s.ChannelMaker():
            return ()
        case s.Number(value=value):
            return (value,)
    return (0,) if _is_truth(declaration.initial) else (-1,)


def _is_truth(e: s.Expr) -> bool:
    """Whether the value is 0 or 1."""
    match e:
        case s.Number(value=value):
            return value in (0, 1)
        case s.Reference():
            return is_bit(type_of(e))
        case s.Unary(op="!") | s.Poll() | s.RemoteLabel() | s.Predefined(name="timeout" | "np_"):
            return True
        case s.ChannelQuery(query=query) | s.OfProcess(query=query):
            return query in ("empty", "full", "nempty", "nfull", "enabled")
        case s.Conditional(then=then, orelse=orelse):
            return _is_truth(then) and _is_truth(orelse)
        case s.Binary(op="&", left=left, right=right):
            return _is_truth(left) or _is_truth(right)
        case s.Binary(op="|" | "^" | "*", left=left, right=right):
            return _is_truth(left) and _is_truth(right)
        case s.Binary(op="-", left=s.Number(value=1), right=right):
            return _is_truth(right)
        case s.Binary(op="%", left=s.Reference() as left, right=s.Number(value=2)):
            number = type_of(left)
            return isinstance(number, Basic) and not number.signed
        case s.Binary(op=op):
            return op in TRUTHS
    return False
