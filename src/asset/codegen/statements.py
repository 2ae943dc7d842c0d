"""Statements. Nothing is written after a statement that does not end normally."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from asset.codegen.expressions import Expressions, FunctionFrame
from asset.codegen.loops import LoopLabels
from asset.codegen.moves import find_moves, write_moves
from asset.codegen.rules import Listing
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.types import EnumType, ScalarType


class Statements:
    """Writes statements; `finish` writes what ends the function with a value, a rule lists commands in `listing`."""

    def __init__(self, frame: FunctionFrame, finish: Callable[[str], None], listing: Listing | None = None) -> None:
        self.frame = frame
        self.b = frame.b
        self.unit = frame.unit
        self.expressions = Expressions(frame)
        self.finish = finish
        self.listing = listing
        self._loops: list[LoopLabels] = []

    def block(self, body: Sequence[n.Stmt]) -> None:
        for statement in body:
            if self.b.terminated:
                return
            self._own_for(statement)
            _WRITE[type(statement)](self, statement)

    def _own_for(self, s: n.Stmt) -> None:
        """Copies the state before a statement that changes it; not before an assignment or a choice, in which
        that is done as late as possible."""
        if self.frame.store.owned:
            return
        match s:
            case n.SetState(indices=indices, value=value):
                parts: Sequence[n.Node] = (*indices, value)
            case n.If(cases=cases):
                parts = [case.test for case in cases]
            case _:
                parts = (s,)
        if any(self.unit.changes_state(part) for part in parts):
            self.frame.store.own()

    def _set_local(self, s: n.SetLocal) -> None:
        self.b.store(self.expressions.value(s.value), self.frame.locals[s.slot])

    def _set_state(self, s: n.SetState) -> None:
        value = self.expressions.value(s.value)
        extent = self.unit.extents[s.variable]
        cell = self.expressions.flat_index(extent.dims, s.indices)
        if not (isinstance(s.value, n.Read) and self.unit.extents[s.value.variable].type == extent.type):
            self._check_range(extent.type, s.value, value)
        if extent.cells:
            self.expressions.places.write(extent, cell, value)

    def _check_range(self, declared: ScalarType, e: n.Expr, value: str) -> None:
        """Faults if the value is not of the type."""
        if isinstance(declared, EnumType) and len({v for _, v in declared.members}) <= declared.hi - declared.lo:
            self._check_member(declared, value)
        elif not self.unit.intervals.of(e).within(declared.lo, declared.hi):
            distance = self.b.let(f"sub i64 {value}, {declared.lo}")
            outside = self.b.let(f"icmp ugt i64 {distance}, {declared.hi - declared.lo}")
            self.expressions.arithmetic.fault_if(outside, FaultKind.RANGE)

    def _check_member(self, declared: EnumType, value: str) -> None:
        onward = self.b.name("member")
        cases = " ".join(f"i64 {v}, label %{onward}" for v in sorted({v for _, v in declared.members}))
        self.b.end(f"switch i64 {value}, label %{self.frame.fault(FaultKind.RANGE)} [{cases}]")
        self.b.begin(onward)

    def _if(self, s: n.If) -> None:
        ends: list[tuple[str, str]] = []  # of each branch that ends normally: its label, and where the state is
        before = self.frame.store.mark()
        for case in s.cases:
            yes, no = self.b.name("then"), self.b.name("else")
            self.expressions.branch(case.test, yes, no)
            self.b.begin(yes)
            self.expressions.count(case)
            self._branch(case.body, ends)
            self.frame.store.reset(before)
            self.b.begin(no)
        self._branch(s.orelse, ends)
        self._meet(ends)

    def _branch(self, body: Sequence[n.Stmt], ends: list[tuple[str, str]]) -> None:
        self.block(body)
        if not self.b.terminated:
            ends.append((self.b.name("end"), self.frame.store.mark()))
            self.b.jump(ends[-1][0])

    def _meet(self, ends: list[tuple[str, str]]) -> None:
        """Brings the branches together; if one has copied the state, the others do so now."""
        store, done = self.frame.store, self.b.name("done")
        copy = len({mark for _, mark in ends}) > 1
        for label, mark in ends:
            self.b.begin(label)
            store.reset(mark)
            if copy:
                store.own()
            self.b.jump(done)
        if ends:
            self.b.begin(done)

    def _while(self, s: n.While) -> None:
        b = self.b
        labels, body = LoopLabels(b.name("head"), b.name("done")), b.name("body")
        b.begin(labels.next)
        self.expressions.branch(s.test, body, labels.done)
        b.begin(body)
        self.expressions.count(s)
        self._loop_body(s.body, labels)
        if not b.terminated:
            b.jump(labels.next)
        b.begin(labels.done)

    def _for(self, s: n.For) -> None:
        moves = None if s in self.unit.counted.weights else find_moves(s, self.unit)
        if moves is None:
            self.expressions.for_each(s, lambda labels: self._loop_body(s.body, labels))
        else:
            write_moves(self.expressions, moves, self.frame.locals[s.slot])

    def _loop_body(self, body: Sequence[n.Stmt], labels: LoopLabels) -> None:
        self._loops.append(labels)
        self.block(body)
        self._loops.pop()

    def _break(self, s: n.Break) -> None:
        self.b.jump(self._loops[-1].done)

    def _continue(self, s: n.Continue) -> None:
        self.b.jump(self._loops[-1].next)

    def _return(self, s: n.Return) -> None:
        before = self.frame.store.mark()
        self.finish("0" if s.value is None else self.expressions.value(s.value))
        self.frame.store.reset(before)  # what is written next is not reached from here

    def _when(self, s: n.When) -> None:
        enabled = self.b.name("enabled")
        self.expressions.branch(s.test, enabled, self.frame.disabled())
        self.b.begin(enabled)

    def _fail(self, s: n.Fail) -> None:
        """The values in the message are evaluated because that may itself go wrong."""
        for part in s.message:
            if not isinstance(part, str):
                self.expressions.value(part)
        self.b.jump(self.frame.fault(s.kind))

    def _evaluate(self, s: n.Evaluate) -> None:
        self.expressions.value(s.value)

    def _mark(self, s: n.Mark) -> None:
        self.b.do(f"store i8 1, ptr inttoptr (i64 {self.unit.probes.marks + s.number} to ptr)")

    def _oblige(self, s: n.Oblige) -> None:
        last = self.unit.program.nr_commands - 1
        for command in s.commands:
            number = self.expressions.value(command)
            if not self.unit.intervals.of(command).within(0, last):
                self.expressions.arithmetic.fault_if(self.b.let(f"icmp ugt i64 {number}, {last}"), FaultKind.INDEX)
            self._listed.add(number)

    def _oblige_all(self, s: n.ObligeAll) -> None:
        self._listed.add_all()

    @property
    def _listed(self) -> Listing:
        assert self.listing is not None, "the verifier lets obligations stand in rules only"
        return self.listing


_WRITE: dict[type[n.Node], Callable[[Statements, Any], None]] = {
    n.SetLocal: Statements._set_local,
    n.SetState: Statements._set_state,
    n.If: Statements._if,
    n.While: Statements._while,
    n.For: Statements._for,
    n.Break: Statements._break,
    n.Continue: Statements._continue,
    n.Return: Statements._return,
    n.When: Statements._when,
    n.Fail: Statements._fail,
    n.Evaluate: Statements._evaluate,
    n.Mark: Statements._mark,
    n.Oblige: Statements._oblige,
    n.ObligeAll: Statements._oblige_all,
}
