"""The canonical numbering of the objects in heaps, as code: what `asset.model.heap_numbering` does in CPython.

A command that changes references, makes or frees an object ends with a call of it, so that whoever runs or analyses the
command sees what it does: plain reads and assignments of cells. The IR has no arrays besides the state, so objects are
exchanged in place: those that are found first come to the front, one after the other. An object that is where it
belongs costs one comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from asset.frontends.python.draft import FunctionTable
from asset.ir import nodes as n
from asset.ir.blocks import Code, at_returns
from asset.ir.program import Function, Style
from asset.ir.shapes import HeapShape, Leaf, leaves
from asset.span import NOWHERE

Indices = tuple[n.Expr, ...]


@dataclass(frozen=True, slots=True)
class HeapLeaves:
    """Which variables hold a heap: its first one, and how many there are."""

    first: int
    shape: HeapShape

    @property
    def objects(self) -> range:
        """Those that hold the objects: one index is that of the object."""
        return range(self.first + 1, self.first + len(leaves(self.shape)))


class Numbering:
    """The functions that number the objects of a program, as far as commands call them."""

    def __init__(self, parts: Sequence[Leaf], heaps: Sequence[HeapLeaves], functions: FunctionTable) -> None:
        self._parts = parts
        self._heaps = heaps
        self._functions = functions
        self._number: int | None = None
        self._referring = [number for number, leaf in enumerate(parts) if leaf.ref is not None]
        self._links = {*self._referring, *(heap.first for heap in heaps), *(heap.first + 1 for heap in heaps)}

    def ends(self, function: int, style: Style = Style.GUARDED) -> None:
        """From now on the function ends with numbering, if it may change what refers to what."""
        if not self._changes_links(function):
            return
        code = self._functions[function]
        renumber = n.Evaluate(code.span, n.Call(code.span, self._whole(), ()))
        body, slots = (*code.body, n.Return(code.span)), code.slots
        if style is Style.GUARDED:
            body = at_returns(body, lambda s: (renumber, s))
        else:
            fired, slots = n.Local(code.span, len(slots)), (*slots, "fired")
            body = at_returns(body, lambda s: _if_fired(s, fired, renumber))
        self._functions.replace(function, replace(code, body=body, slots=slots))

    def _changes_links(self, function: int) -> bool:
        pending, found = [function], {function}
        while pending:
            for part in self._functions[pending.pop()].nodes:
                if isinstance(part, n.SetState) and part.variable in self._links:
                    return True
                if isinstance(part, n.Call) and part.function not in found:
                    found.add(part.function)
                    pending.append(part.function)
        return False

    # --- the functions --------------------------------------------------------------------------------------------

    def _whole(self) -> int:
        """The function that numbers all objects, and forgets those that cannot be reached."""
        if self._number is None:
            placing = [self._functions.add(self._placing(heap)) for heap in self._heaps]
            self._number = self._functions.add(self._numbering(placing))
        return self._number

    def _placing(self, heap: HeapLeaves) -> Function:
        """Given a reference and how many objects were found so far, how many there are with the one referred to: if it
        was not found yet, it changes places with the next one."""
        code = _Code(["object", "found"])
        found, following = n.Local(NOWHERE, 1), code.new("next")
        old, new = _less_one(n.Local(NOWHERE, 0)), _less_one(following)
        body: list[n.Stmt] = []
        for number in heap.objects:
            body += code.each(self._parts[number].dims[1:], partial(code.swap, number, (old, new)))
        for number in self._into(heap):
            cell_is = _Renamed(number, n.Local(NOWHERE, 0), following)
            body += code.each(self._parts[number].dims, cell_is.exchanged)
        known = n.Case(NOWHERE, _binary(n.BinaryOp.LE, n.Local(NOWHERE, 0), found), (n.Return(NOWHERE, found),))
        moves = n.Case(NOWHERE, _binary(n.BinaryOp.NE, n.Local(NOWHERE, 0), following), tuple(body))
        begin = n.SetLocal(NOWHERE, following.slot, _binary(n.BinaryOp.ADD, found, n.Const(NOWHERE, 1)))
        whole = (n.If(NOWHERE, (known,)), begin, n.If(NOWHERE, (moves,)), n.Return(NOWHERE, following))
        return Function("place an object", 2, tuple(code.slots), whole, NOWHERE)

    def _into(self, heap: HeapLeaves) -> Iterable[int]:
        """The variables that refer to its objects."""
        for number in self._referring:
            ref = self._parts[number].ref
            if ref is not None and ref.heap == heap.first:
                yield number

    def _numbering(self, placing: Sequence[int]) -> Function:
        """Breadth-first: what roots refer to, what that refers to, and so on, a level in each round."""
        code = _Code([])
        found = [code.new("found") for _ in self._heaps]
        scanned = [code.new("scanned") for _ in self._heaps]
        ends = [code.new("end") for _ in self._heaps]
        inside = {number for heap in self._heaps for number in heap.objects}

        def refer(number: int) -> Callable[[Indices], Code]:
            ref = self._parts[number].ref
            assert ref is not None
            into = next(k for k, heap in enumerate(self._heaps) if heap.first == ref.heap)
            return lambda at: (_set(found[into], n.Call(NOWHERE, placing[into], (_read(number, at), found[into]))),)

        body: list[n.Stmt] = [_set(slot, n.Const(NOWHERE, 0)) for slot in (*found, *scanned)]
        for number in self._referring:
            if number not in inside:
                body += code.each(self._parts[number].dims, refer(number))
        level: list[n.Stmt] = [_set(end, count) for end, count in zip(ends, found, strict=True)]
        done = [_binary(n.BinaryOp.EQ, a, b) for a, b in zip(scanned, ends, strict=True)]
        level.append(n.If(NOWHERE, (n.Case(NOWHERE, _all(done), (n.Break(NOWHERE),)),)))
        for heap, start, end in zip(self._heaps, scanned, ends, strict=True):
            level += self._scanned(code, heap, (start, end), refer)
        body += code.rounds(n.Const(NOWHERE, 0), n.Const(NOWHERE, self._room + 1), lambda _: tuple(level))
        for heap, count in zip(self._heaps, found, strict=True):
            body += self._forget(code, heap, count)
        why = "the objects of heaps are numbered anew here"
        return Function("number the objects", 0, tuple(code.slots), tuple(body), NOWHERE, why)

    @property
    def _room(self) -> int:
        return sum(heap.shape.capacity for heap in self._heaps)

    def _scanned(
        self,
        code: _Code,
        heap: HeapLeaves,
        level: tuple[n.Local, n.Local],
        refer: Callable[[int], Callable[[Indices], Code]],
    ) -> list[n.Stmt]:
        """The objects of a level are looked into."""
        start, end = level
        inner = [number for number in heap.objects if number in self._referring]

        def look(k: n.Local) -> Code:
            parts = (code.inside(self._parts[number].dims, k, refer(number)) for number in inner)
            return tuple(s for part in parts for s in part)

        return [*(code.rounds(start, end, look) if inner else ()), _set(start, end)]

    def _forget(self, code: _Code, heap: HeapLeaves, count: n.Local) -> Code:
        """What was not found becomes blank."""

        def blank(k: n.Local) -> Code:
            parts = (code.inside(self._parts[j].dims, k, partial(self._blank, j)) for j in heap.objects)
            return tuple(s for part in parts for s in part)

        size = n.Read(NOWHERE, heap.first)
        return (*code.rounds(count, size, blank), n.SetState(NOWHERE, heap.first, (), count))

    def _blank(self, number: int, at: Indices) -> Code:
        return (n.SetState(NOWHERE, number, at, n.Const(NOWHERE, self._parts[number].blank)),)


def _if_fired(s: n.Return, fired: n.Local, renumber: n.Stmt) -> Code:
    """The same return; what is returned says whether the command fired."""
    value = n.Const(s.span, 0) if s.value is None else s.value
    case = n.Case(s.span, fired, (renumber,))
    return n.SetLocal(s.span, fired.slot, value), n.If(NOWHERE, (case,)), n.Return(s.span, fired)


@dataclass(frozen=True, slots=True)
class _Renamed:
    """References in a variable to two objects that change places."""

    variable: int
    one: n.Local
    other: n.Local

    def exchanged(self, at: Indices) -> Code:
        cell = _read(self.variable, at)
        cases = [
            n.Case(NOWHERE, _binary(n.BinaryOp.EQ, cell, a), (n.SetState(NOWHERE, self.variable, at, b),))
            for a, b in ((self.one, self.other), (self.other, self.one))
        ]
        return (n.If(NOWHERE, tuple(cases)),)


class _Code:
    """The slots of a function, and loops over them."""

    def __init__(self, slots: list[str]) -> None:
        self.slots = slots

    def new(self, name: str) -> n.Local:
        self.slots.append(name)
        return n.Local(NOWHERE, len(self.slots) - 1)

    def rounds(self, start: n.Expr, stop: n.Expr, body: Callable[[n.Local], Code]) -> Code:
        at = self.new("at")
        return (n.For(NOWHERE, at.slot, start, stop, n.Const(NOWHERE, 1), body(at)),)

    def each(self, dims: Sequence[int], body: Callable[[Indices], Code]) -> Code:
        """The body for all indices of an array of these dimensions."""
        if not dims:
            return body(())
        rest = dims[1:]
        return self.rounds(
            n.Const(NOWHERE, 0), n.Const(NOWHERE, dims[0]), lambda at: self.each(rest, lambda more: body((at, *more)))
        )

    def inside(self, dims: Sequence[int], k: n.Expr, body: Callable[[Indices], Code]) -> Code:
        """The body for all indices of which the first one is k."""
        return self.each(dims[1:], lambda at: body((k, *at)))

    def swap(self, variable: int, objects: tuple[n.Expr, n.Expr], at: Indices) -> Code:
        kept, places = self.new("kept"), tuple((which, *at) for which in objects)
        return (
            _set(kept, _read(variable, places[0])),
            n.SetState(NOWHERE, variable, places[0], _read(variable, places[1])),
            n.SetState(NOWHERE, variable, places[1], kept),
        )


def _read(variable: int, at: Indices) -> n.Read:
    return n.Read(NOWHERE, variable, at)


def _set(slot: n.Local, value: n.Expr) -> n.Stmt:
    return n.SetLocal(NOWHERE, slot.slot, value)


def _binary(op: n.BinaryOp, left: n.Expr, right: n.Expr) -> n.Expr:
    return n.Binary(NOWHERE, op, left, right)


def _less_one(e: n.Expr) -> n.Expr:
    return _binary(n.BinaryOp.SUB, e, n.Const(NOWHERE, 1))


def _all(tests: Sequence[n.Expr]) -> n.Expr:
    return tests[0] if len(tests) == 1 else n.And(NOWHERE, tuple(tests))
