"""A program as text, for people and for golden tests. Spans are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, Variable
from asset.ir.requirements import Branching, Recurrence, Requirement, Temporal, Termination
from asset.span import NOWHERE


def pretty(program: Program) -> str:
    """The whole program, one line for each declaration and statement."""
    return "\n".join(_Printer(program).lines()) + "\n"


def pretty_expression(program: Program, expression: n.Expr) -> str:
    """A condition or value without locals: the fact of a derived rule, say."""
    return _Printer(program)._expr(expression, Function("", 0, (), (), NOWHERE))


class _Printer:
    def __init__(self, program: Program) -> None:
        self.program = program

    def lines(self) -> Iterator[str]:
        bound = ", ".join(f"{name}={value!r}" for name, value in self.program.parameters)
        yield f"program {self.program.name}({bound})"
        yield from map(self._variable, self.program.variables)
        yield from (f"or begins in {' '.join(map(str, state))}" for state in self.program.further_initial)
        yield from map(self._family, self.program.families)
        yield from map(self._requirement, self.program.requirements)
        if self.program.representative is not None:
            yield f"representative: {self._name(self.program.representative)}"
        for function in self.program.functions:
            yield from self._function(function)

    def _variable(self, v: Variable) -> str:
        shape = "".join(f"[{size}]" for size in v.dims)
        return f"var {v.name}{shape}: {v.type} = {' '.join(map(v.type.show, v.initial))}"

    def _family(self, f: Family) -> str:
        ranges = " x ".join("{" + ", ".join(map(str, r)) + "}" for r in f.ranges)
        last = f.first + f.size - 1
        rule = "" if f.rule is None else f" rule {self._name(f.rule)}"
        return f"commands {f.first}..{last}: {f.style.value} {self._name(f.function)} {ranges}".rstrip() + rule

    def _requirement(self, required: Requirement) -> str:
        match required:
            case Termination():
                return "termination"
            case Recurrence():
                again, then = (" ".join(map(str, sorted(commands))) for commands in (required.again, required.then))
                return f"recurrence {required.name}: again {again} then {then}"
            case Temporal() | Branching():
                fair = "".join(f" fair {each.name}" for each in required.fairness)
                return f"temporal {required.name}: {required.formula}{fair}"
            case _:
                predicate = required.predicate
                messages = "".join(f" {text!r}" for text in predicate.messages)
                kind = re.sub(r"\B(?=[A-Z])", "_", type(required).__name__).lower()
                return f"{kind} {predicate.name}: {self._name(predicate.function)}{messages}"

    def _name(self, function: int) -> str:
        return self.program.functions[function].name

    def _function(self, f: Function) -> Iterator[str]:
        yield f"def {f.name}({', '.join(f.slots[: f.parameters])}):"
        yield from self._block(f.body, f, 1)

    def _block(self, body: tuple[n.Stmt, ...], f: Function, depth: int) -> Iterator[str]:
        if not body:
            yield "    " * depth + "pass"
        for statement in body:
            yield from self._statement(statement, f, depth)

    def _statement(self, s: n.Stmt, f: Function, depth: int) -> Iterator[str]:
        margin = "    " * depth
        match s:
            case n.If():
                for number, case in enumerate(s.cases):
                    yield f"{margin}{'elif' if number else 'if'} {self._expr(case.test, f)}:"
                    yield from self._block(case.body, f, depth + 1)
                if s.orelse:
                    yield f"{margin}else:"
                    yield from self._block(s.orelse, f, depth + 1)
            case n.While():
                yield f"{margin}while {self._expr(s.test, f)}:"
                yield from self._block(s.body, f, depth + 1)
            case n.For():
                yield f"{margin}for {f.slots[s.slot]} in {self._range(s, f)}:"
                yield from self._block(s.body, f, depth + 1)
            case _:
                yield margin + self._simple(s, f)

    def _simple(self, s: n.Stmt, f: Function) -> str:
        match s:
            case n.SetLocal():
                return f"{f.slots[s.slot]} = {self._expr(s.value, f)}"
            case n.SetState():
                return f"{self._place(s.variable, s.indices, f)} := {self._expr(s.value, f)}"
            case n.Break():
                return "break"
            case n.Continue():
                return "continue"
            case n.Return():
                return "return" if s.value is None else f"return {self._expr(s.value, f)}"
            case n.When():
                return f"when {self._expr(s.test, f)}"
            case n.Fail():
                parts = "".join(p if isinstance(p, str) else "{" + self._expr(p, f) + "}" for p in s.message)
                return f"fail {s.kind.name} {parts!r}"
            case n.Evaluate():
                return self._expr(s.value, f)
            case n.Mark():
                return f"mark {s.number}"
            case n.Oblige():
                return f"oblige {', '.join(self._expr(c, f) for c in s.commands)}"
            case n.ObligeAll():
                return "oblige all"
            case _:
                raise TypeError(f"no such statement: {s!r}")

    def _place(self, variable: int, indices: tuple[n.Expr, ...], f: Function) -> str:
        return self.program.variables[variable].name + "".join(f"[{self._expr(i, f)}]" for i in indices)

    def _range(self, loop: n.For | n.Generator, f: Function) -> str:
        return f"range({', '.join(self._expr(e, f) for e in (loop.start, loop.stop, loop.step))})"

    def _expr(self, e: n.Expr, f: Function) -> str:
        match e:
            case n.Const():
                return str(e.value)
            case n.Local():
                return f.slots[e.slot]
            case n.Read():
                place = self._place(e.variable, e.indices, f)
                return f"before({place})" if e.before else place
            case n.Table():
                return e.name + "".join(f"[{self._expr(i, f)}]" for i in e.indices)
            case n.Unary(op=n.UnaryOp.ABS):
                return f"abs({self._expr(e.operand, f)})"
            case n.Unary():
                return f"({e.op.value} {self._expr(e.operand, f)})"
            case n.Binary(op=n.BinaryOp.MIN | n.BinaryOp.MAX):
                return f"{e.op.value}({self._expr(e.left, f)}, {self._expr(e.right, f)})"
            case n.Binary():
                return f"({self._expr(e.left, f)} {e.op.value} {self._expr(e.right, f)})"
            case n.And() | n.Or():
                word = " and " if isinstance(e, n.And) else " or "
                return "(" + word.join(self._expr(o, f) for o in e.operands) + ")"
            case n.Conditional():
                return f"({self._expr(e.then, f)} if {self._expr(e.test, f)} else {self._expr(e.orelse, f)})"
            case n.Call():
                return f"{self._name(e.function)}({', '.join(self._expr(a, f) for a in e.args)})"
            case n.Fold():
                return self._fold(e, f)
            case _:
                raise TypeError(f"no such expression: {e!r}")

    def _fold(self, e: n.Fold, f: Function) -> str:
        text = f"{e.op.value}({self._expr(e.element, f)}"
        for g in e.generators:
            text += f" for {f.slots[g.slot]} in {self._range(g, f)}"
            text += "".join(f" let {f.slots[b.slot]} = {self._expr(b.value, f)}" for b in g.binds)
            text += f" if {self._expr(g.test, f)}" if g.test is not None else ""
        return text + (f", default={self._expr(e.default, f)})" if e.default is not None else ")")
