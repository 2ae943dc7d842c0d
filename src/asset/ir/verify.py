"""What must be true of every program, whichever front end made it. Run after each stage in tests."""

from __future__ import annotations

from collections.abc import Iterator

from asset.ir import nodes as n
from asset.ir.faults import INT_MAX, INT_MIN
from asset.ir.program import Function, Program
from asset.ir.requirements import command_sets


def verify(program: Program) -> None:
    """Raises ValueError, naming all faults, if the program is not well-formed."""
    faults = [*_declarations(program), *_reductions(program), *_recursion(program)]
    for number, function in enumerate(program.functions):
        faults += [f"{function.name}: {fault}" for fault in _FunctionVerifier(program, number).faults()]
    if faults:
        raise ValueError(f"ill-formed program {program.name}: " + "; ".join(faults))


def _declarations(program: Program) -> Iterator[str]:
    for v in program.variables:
        if len(v.initial) != v.cells:
            yield f"{v.name} has {v.cells} cells but {len(v.initial)} initial values"
        if any(value not in v.type for value in v.initial):
            yield f"an initial value of {v.name} is out of its range"
        if v.owner is not None and len(v.owner.firsts) > len(v.dims):
            yield f"{v.name} has fewer dimensions than {v.owner.process} has indices"
    types = [v.type for v in program.cell_variables]
    for state in program.further_initial:
        if len(state) != len(types) or any(value not in kind for value, kind in zip(state, types, strict=False)):
            yield "an initial state is not made of values of the variables"
            break
    first = 0
    for family in program.families:
        if family.first != first:
            yield f"{family.name} begins at command {family.first}, not {first}"
        if program.functions[family.function].parameters != len(family.ranges):
            yield f"{family.name} has {len(family.ranges)} indices but another number of parameters"
        if family.choices > len(family.ranges):
            yield f"{family.name} has {family.choices} choices but {len(family.ranges)} indices"
        first += family.size
    for predicate in program.predicates:
        if program.functions[predicate.function].parameters:
            yield f"{predicate.name} has parameters"
    for of_step in program.step_predicates:
        if program.functions[of_step.function].parameters != len(of_step.values):
            yield f"{of_step.name} has another number of parameters than of values"
        if any(program.functions[value].parameters for value in of_step.values):
            yield f"a value of {of_step.name} has parameters"


def _reductions(program: Program) -> Iterator[str]:
    """What is wrong with rules, the representative and recurrences as they are declared."""
    for family in program.families:
        if family.rule is not None and program.functions[family.rule].parameters != len(family.ranges):
            yield f"the rule of {family.name} has another number of parameters than its {len(family.ranges)} indices"
    if program.representative is not None and program.functions[program.representative].parameters:
        yield "the representative has parameters"
    for required in program.requirements:
        named = frozenset[int]().union(*command_sets(required))
        if any(not 0 <= command < program.nr_commands for command in named):
            yield f"{required.name} names a command that does not exist"
    yield from _rules(program)
    yield from _reads_before(program)


def _rules(program: Program) -> Iterator[str]:
    """Obligations belong to rules, and rules only look at the state."""
    rules = {family.rule for family in program.families if family.rule is not None}
    for number, function in enumerate(program.functions):
        if number not in rules and _has(function, n.Oblige, n.ObligeAll):
            yield f"{function.name} obliges, but is no rule"
    for number in _called(program, rules):
        if _has(program.functions[number], n.SetState, n.When):
            yield f"{program.functions[number].name} changes the state or disables, in a rule"


def _reads_before(program: Program) -> Iterator[str]:
    """The state before the firing is read only by what begins it."""
    called = set[int]().union(*map(calls, program.functions))
    firing = {family.function for family in program.families} - called
    for number, function in enumerate(program.functions):
        if number not in firing and any(isinstance(node, n.Read) and node.before for node in function.nodes):
            yield f"{function.name} reads the state before a firing, but is not what a family fires"


def _has(function: Function, *kinds: type[n.Node]) -> bool:
    return any(isinstance(node, kinds) for node in function.nodes)


def _called(program: Program, roots: set[int]) -> list[int]:
    """The roots and all that they call, directly or not."""
    found, pending = set(roots), list(roots)
    while pending:
        new = calls(program.functions[pending.pop()]) - found
        found |= new
        pending += new
    return sorted(found)


def calls(function: Function) -> set[int]:
    """The functions that it calls directly."""
    return {node.function for node in function.nodes if isinstance(node, n.Call)}


def _recursion(program: Program) -> Iterator[str]:
    finished: set[int] = set()
    for root in range(len(program.functions)):
        active, stack = {root}, [(root, iter(sorted(calls(program.functions[root]))))]
        while stack:
            number, pending = stack[-1]
            callee = next((c for c in pending if c not in finished), None)
            if callee is None:
                stack.pop()
                active.discard(number)
                finished.add(number)
            elif callee in active:
                yield f"{program.functions[callee].name} calls itself"
                return
            else:
                active.add(callee)
                stack.append((callee, iter(sorted(calls(program.functions[callee])))))


class _FunctionVerifier:
    def __init__(self, program: Program, number: int) -> None:
        self.program = program
        self.function = program.functions[number]

    def faults(self) -> Iterator[str]:
        body = self.function.body
        for node in n.walk(*body):
            yield from self._node(node)
        yield from self._misplaced(body, in_loop=False)
        yield from _Assignment(self.function).faults()

    def _node(self, node: n.Node) -> Iterator[str]:
        match node:
            case n.Const(value=value) if not INT_MIN <= value <= INT_MAX:
                yield f"the constant {value} does not fit 64 bits"
            case n.Local(slot=slot) | n.SetLocal(slot=slot) | n.For(slot=slot) | n.Generator(slot=slot) if not (
                0 <= slot < len(self.function.slots)
            ):
                yield f"no slot {slot}"
            case n.Read(variable=variable, indices=indices) | n.SetState(variable=variable, indices=indices):
                if len(indices) != len(self.program.variables[variable].dims):
                    yield f"{self.program.variables[variable].name} has another number of dimensions"
            case n.Call(function=callee, args=args):
                if len(args) != self.program.functions[callee].parameters:
                    yield f"{self.program.functions[callee].name} takes another number of arguments"
            case n.And(operands=()) | n.Or(operands=()) | n.Fold(generators=()) | n.If(cases=()):
                yield f"an empty {type(node).__name__}"

    def _misplaced(self, body: tuple[n.Stmt, ...], in_loop: bool) -> Iterator[str]:
        for statement in body:
            match statement:
                case n.Break() | n.Continue() if not in_loop:
                    yield f"{type(statement).__name__.lower()} outside a loop"
                case n.While() | n.For():
                    yield from self._misplaced(statement.body, in_loop=True)
                case n.If():
                    for branch in (*(case.body for case in statement.cases), statement.orelse):
                        yield from self._misplaced(branch, in_loop)


class _Assignment:
    """Definite assignment: no local is read before it certainly has a value.

    `None` stands for the set of assigned slots after a statement that never ends normally.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.unassigned: list[str] = []

    def faults(self) -> list[str]:
        self._block(self.function.body, frozenset(range(self.function.parameters)))
        return [f"{name} may be read before it has a value" for name in dict.fromkeys(self.unassigned)]

    def _block(self, body: tuple[n.Stmt, ...], have: frozenset[int] | None) -> frozenset[int] | None:
        for statement in body:
            if have is None:
                return None
            have = self._statement(statement, have)
        return have

    def _statement(self, s: n.Stmt, have: frozenset[int]) -> frozenset[int] | None:
        match s:
            case n.SetLocal():
                self._expr(s.value, have)
                return have | {s.slot}
            case n.If():
                return self._branches(s, have)
            case n.While():
                self._expr(s.test, have)
                self._block(s.body, have)
                return have
            case n.For():
                for bound in (s.start, s.stop, s.step):
                    self._expr(bound, have)
                self._block(s.body, have | {s.slot})
                return have
            case n.Break() | n.Continue():
                return None
        for part in n.children(s):
            self._expr(part, have)
        return None if isinstance(s, n.Return | n.Fail) else have

    def _branches(self, s: n.If, have: frozenset[int]) -> frozenset[int] | None:
        ends = []
        for case in s.cases:
            self._expr(case.test, have)
            ends.append(self._block(case.body, have))
        ends.append(self._block(s.orelse, have))
        reached = [end for end in ends if end is not None]
        return frozenset.intersection(*reached) if reached else None

    def _expr(self, e: n.Node, have: frozenset[int]) -> None:
        if isinstance(e, n.Local) and e.slot not in have:
            self.unassigned.append(self.function.slots[e.slot])
        if isinstance(e, n.Fold):
            self._fold(e, have)
            return
        for part in n.children(e):
            self._expr(part, have)

    def _fold(self, e: n.Fold, have: frozenset[int]) -> None:
        if e.default is not None:
            self._expr(e.default, have)
        for g in e.generators:
            for bound in (g.start, g.stop, g.step):
                self._expr(bound, have)
            have = have | {g.slot}
            for bind in g.binds:
                self._expr(bind.value, have)
                have = have | {bind.slot}
            if g.test is not None:
                self._expr(g.test, have)
        self._expr(e.element, have)
