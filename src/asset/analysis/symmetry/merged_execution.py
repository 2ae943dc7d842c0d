"""Statements run on terms: both ways of a branch, and what differs is chosen by its condition afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from asset.analysis.symmetry.merged_values import MOST_ROUNDS, MergedValues, TermFrame
from asset.analysis.symmetry.terms import Beyond, Term
from asset.ir import nodes as n


@dataclass(slots=True)
class _LoopExits:
    broken: Term
    continued: Term


@dataclass
class MergedExecution(MergedValues):
    """One piece of code being run."""

    loops: list[_LoopExits] = field(default_factory=list)

    def call(self, function: int, args: list[Term], outer: Term) -> Term:
        code = self.program.functions[function]
        if code.opaque:
            raise Beyond
        frame = TermFrame([*args, *[None] * (len(code.slots) - len(args))], outer)
        loops, self.loops = self.loops, []
        ended = self._block(code.body, frame, self.terms.true)
        self.loops = loops
        nothing = self.terms.constant(0)
        return nothing if frame.result is None else self.terms.choose(ended, nothing, frame.result)

    # --- statements: from the path before to the path after --------------------------------------------------------

    def _block(self, body: tuple[n.Stmt, ...], frame: TermFrame, path: Term) -> Term:
        for statement in body:
            self._count_step()
            if path == self.terms.false or frame.outer == self.terms.false:
                return self.terms.false
            path = _EXECUTE[type(statement)](self, statement, frame, path)
        return path

    def _set_local(self, s: n.SetLocal, frame: TermFrame, path: Term) -> Term:
        self._assign(frame, s.slot, self._value(s.value, frame, path), path)
        return path

    def _assign(self, frame: TermFrame, slot: int, value: Term, path: Term) -> None:
        before = frame.locals[slot]
        frame.locals[slot] = value if before is None else self.terms.choose(path, value, before)
        frame.latest[slot] = path, value

    def _set_state(self, s: n.SetState, frame: TermFrame, path: Term) -> Term:
        t, here = self.terms, self._here(frame, path)
        value = self._value(s.value, frame, path)
        for condition, cell in self._places(s.variable, s.indices, frame, path):
            self.traced.append((s.span, cell, value))
            self.fails(t.both(here, condition, self._out_of_range(cell, value)))
            self.store[cell] = t.choose(t.both(here, condition), value, self._current(cell))
        return path

    def _out_of_range(self, cell: int, value: Term) -> Term:
        t, kind = self.terms, self.terms.cells.variables[cell].type
        bounds = t.interval(value)
        if bounds.hi - bounds.lo < 256:
            wrong = [x for x in range(bounds.lo, bounds.hi + 1) if x not in kind]
            return t.either(*(t.zero(t.minus(value, t.constant(x))) for x in wrong))
        if any(x not in kind for x in range(kind.lo, min(kind.hi, kind.lo + 1024))):
            raise Beyond  # an enumeration with gaps, and too many values to go through
        return t.either(self._less(value, kind.lo), t.positive(t.minus(value, t.constant(kind.hi))))

    def _if(self, s: n.If, frame: TermFrame, path: Term) -> Term:
        t, rest, ends, straight = self.terms, path, [], True
        for case in s.cases:
            test = t.truth(self._value(case.test, frame, rest))
            branch = t.both(rest, test)
            ends.append(self._block(case.body, frame, branch))
            straight = straight and ends[-1] == branch
            rest = t.both(rest, t.negation(test))
        ends.append(self._block(s.orelse, frame, rest))
        return path if straight and ends[-1] == rest else t.either(*ends)

    def _while(self, s: n.While, frame: TermFrame, path: Term) -> Term:
        t, live, ended = self.terms, path, list[Term]()
        self.loops.append(_LoopExits(t.false, t.false))
        for _ in range(MOST_ROUNDS):
            if live == t.false:
                return t.either(*ended, self.loops.pop().broken)
            test = t.truth(self._value(s.test, frame, live))
            ended.append(t.both(live, t.negation(test)))
            live = self._round(s.body, frame, t.both(live, test))
        raise Beyond

    def _round(self, body: tuple[n.Stmt, ...], frame: TermFrame, path: Term) -> Term:
        """Runs the body of the innermost loop once; the path into the next round."""
        self.loops[-1].continued = self.terms.false
        after = self._block(body, frame, path)
        return self.terms.either(after, self.loops[-1].continued)

    def _for(self, s: n.For, frame: TermFrame, path: Term) -> Term:
        t, live, ended, straight = self.terms, path, [], True
        last = frame.locals[s.slot]
        self.loops.append(_LoopExits(t.false, t.false))
        for counter, reached in self._rounds(s, frame, path):
            into = t.both(live, reached)
            ended.append(t.both(live, t.negation(reached)))
            frame.locals[s.slot] = counter  # in the body; it need not be chosen by the path into it
            frame.latest.pop(s.slot, None)
            live = self._round(s.body, frame, into)
            last = counter if last is None else t.choose(into, counter, last)
            straight = straight and live == into
        frame.locals[s.slot] = last
        frame.latest.pop(s.slot, None)
        broken = self.loops.pop().broken
        return path if straight and broken == t.false else t.either(live, broken, *ended)

    def _break(self, s: n.Break, frame: TermFrame, path: Term) -> Term:
        self.loops[-1].broken = self.terms.either(self.loops[-1].broken, path)
        return self.terms.false

    def _continue(self, s: n.Continue, frame: TermFrame, path: Term) -> Term:
        self.loops[-1].continued = self.terms.either(self.loops[-1].continued, path)
        return self.terms.false

    def _return(self, s: n.Return, frame: TermFrame, path: Term) -> Term:
        value = self.terms.constant(0) if s.value is None else self._value(s.value, frame, path)
        frame.result = value if frame.result is None else self.terms.choose(path, value, frame.result)
        return self.terms.false

    def _when(self, s: n.When, frame: TermFrame, path: Term) -> Term:
        test = self.terms.truth(self._value(s.test, frame, path))
        self.require(test, self._here(frame, path))
        return self.terms.false if test == self.terms.false else path

    def _fail(self, s: n.Fail, frame: TermFrame, path: Term) -> Term:
        for part in s.message:
            if not isinstance(part, str):
                self._value(part, frame, path)
        self.fails(self._here(frame, path))
        return self.terms.false

    def _evaluate(self, s: n.Evaluate, frame: TermFrame, path: Term) -> Term:
        self._value(s.value, frame, path)
        return path


_EXECUTE: dict[type[n.Node], Callable[[MergedExecution, Any, TermFrame, Term], Term]] = {
    n.SetLocal: MergedExecution._set_local,
    n.SetState: MergedExecution._set_state,
    n.If: MergedExecution._if,
    n.While: MergedExecution._while,
    n.For: MergedExecution._for,
    n.Break: MergedExecution._break,
    n.Continue: MergedExecution._continue,
    n.Return: MergedExecution._return,
    n.When: MergedExecution._when,
    n.Fail: MergedExecution._fail,
    n.Evaluate: MergedExecution._evaluate,
}
