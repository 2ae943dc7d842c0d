"""From the syntax tree of a model to a program of the IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.acting import Acting
from asset.frontends.promela.apart import Apart, processes_apart
from asset.frontends.promela.asking import Asking
from asset.frontends.promela.claiming import Claim
from asset.frontends.promela.code import (
    Slots,
    Value,
    all_of,
    any_of,
    equal,
    is_false,
    is_true,
    negated,
    plus,
    source_text,
)
from asset.frontends.promela.constants import Look, constant
from asset.frontends.promela.control import Control, Element, Shape, Step, control_of
from asset.frontends.promela.evaluating import Evaluating, Frame
from asset.frontends.promela.exclusive_use import ExclusiveUse
from asset.frontends.promela.expressions import HIGHEST, Scope
from asset.frontends.promela.first_ways import begins_once, with_first_ways
from asset.frontends.promela.instances import MadeBy, Unbounded, pids_of, processes_made
from asset.frontends.promela.layout import Block, Kind, Layout
from asset.frontends.promela.naming import NOTHING, ChannelNames, parts_of
from asset.frontends.promela.numbering import numbers_of
from asset.frontends.promela.stepping import Meeting, Stepping
from asset.frontends.promela.timeouts import only_waited_for, waits
from asset.frontends.promela.tracing import Tracing
from asset.frontends.promela.types import Basic, Structure, extended, leaves, scalars
from asset.frontends.promela.ways import Way, Ways
from asset.ir import nodes as n
from asset.ir.program import Family, Function, Program, QueueVariables, Style
from asset.span import Span

Firsts = dict[str, tuple[int, ...]]
"""The first values of the leaves of a variable, each with those of all its cells."""

Known = dict[tuple[s.Declaration, int], Firsts]
"""The first values of variables, by the number of the process that has them, which is 0 for shared ones."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says of the model: its macros, how many processes there can be, and from how many numbers
    the choices of an atomic sequence are drawn."""

    parameters: tuple[tuple[str, object], ...]
    bound: int | None
    ways: int


@dataclass(frozen=True, slots=True)
class Lowered:
    """The program, and what its processes are made from."""

    program: Program
    kinds: tuple[Kind, ...]
    first_states: Mapping[str, int]
    """How many elements SPIN makes before those of each body."""
    channels: tuple[Block, ...]
    assumed: Diagnostic | None
    """What says that a number of processes was assumed, if it was."""
    bounded: bool
    """Whether the number of processes was given, or assumed."""


def lower(name: str, module: s.Module, scope: Scope, asked: Asked) -> Lowered:
    controls = {p.name: control_of(p, scope.referenced) for p in module.processes}
    pids, made_by, assumed = _instances(module, controls, asked.bound)
    lowering = _Lowering(module, controls, pids, made_by)
    program = lowering.program(name, scope, asked)
    firsts, made = dict[str, int](), 0
    for body in module.bodies:
        firsts[body.name] = made
        made += (controls.get(body.name) or control_of(body, scope.referenced)).size
    blocks = tuple(lowering.evaluating.blocks.values())
    bounded = asked.bound is not None or assumed is not None
    return Lowered(program, tuple(lowering.kinds), firsts, blocks, assumed, bounded)


def _instances(
    module: s.Module, controls: Mapping[str, Control], bound: int | None
) -> tuple[dict[str, range], MadeBy | None, Diagnostic | None]:
    """The numbers that processes of each kind can have, how many are made if that is known, and what says that their
    number was assumed, if it was."""
    assumed = None
    try:
        made = processes_made(module, controls, bound)
    except Unbounded as unbounded:
        bound, assumed = unbounded.room, unbounded.warning
        made = processes_made(module, controls, bound)
    pids = pids_of(module, controls, made, bound)
    if bound is not None:
        return pids, None, assumed
    if not _has_priorities(module):  # these interrupt atomic sequences
        pids |= numbers_of(module, controls)
    return pids, made, None


class _Lowering:
    def __init__(
        self, module: s.Module, controls: Mapping[str, Control], pids: Mapping[str, range], made: MadeBy | None
    ) -> None:
        self.module = module
        self.kinds = [Kind(p, controls[p.name], pids[p.name]) for p in module.processes if p.name in pids]
        never = module.never
        self.claimed = None if never is None else Kind(never, control_of(never), range(1))
        trace = module.trace
        self.traced = None if trace is None else Kind(trace, control_of(trace), range(1))
        names = ChannelNames(module)
        by_name = {kind.name: kind for kind in self.kinds}
        blocks = self._blocks(names, by_name)
        self.layout = Layout(module.mtypes, sum(block.count for block in blocks.values()))
        self.evaluating = Evaluating(self.layout, by_name, blocks)
        self.evaluating.fixed = names.fixed & set(blocks)
        self.evaluating.named = {name: frozenset(d for d in made if d in blocks) for name, made in names.named.items()}
        self.evaluating.unset = {name for name, made in names.named.items() if NOTHING in made}
        self.functions = self.evaluating.functions
        self.families: list[Family] = []
        self._named: dict[str, int] = {}
        self._begin: list[tuple[Kind, Element]] = []
        """Where each family begins."""
        self.timeouts = never is None and all(map(only_waited_for, self.kinds))
        """Whether what waits for a timeout is a last resort: nothing else speaks of timeouts."""
        self._lay_out()
        self.acting = Acting(self.evaluating, self.functions, self.running)
        if self.traced is not None:
            self.acting.trace = Tracing(self.traced, self.evaluating, self.functions)
        self.stepping = Stepping(self.acting, self.kinds, self.functions, claimed=never is not None)
        self.stepping.apart = Apart() if made is None else processes_apart(module, names, made)
        self._asked_anything: dict[bool, int] = {}
        self._able_to: dict[tuple[str, bool], int] = {}
        """The function of each kind, without a timeout and with one; -1 while it is written."""
        self._about_the_whole()
        self.stepping.highest = self._highest
        self.claim = None if self.claimed is None else Claim(self.claimed, self.stepping, self.functions)

    def program(self, name: str, scope: Scope, asked: Asked) -> Program:
        self.acting.exclusive = ExclusiveUse(self.evaluating, self.functions, scope.claims)
        self.stepping.most_drawn = asked.ways
        for kind in self.kinds:
            for place in self.stepping.places(kind):
                self._commands(kind, place)
        if self.claim is not None:
            self._stutter(self.claim)
        self._list_first_ways(name)
        commands = frozenset(range(sum(family.size for family in self.families)))
        asking = Asking(self.evaluating, self.kinds, self.functions)
        if self.claim is not None:
            requirements = tuple(asking.claimed(self.claim, commands))
        else:
            requirements = tuple(asking.requirements(self.module, scope, self.acting.trace))
        return Program(
            name,
            asked.parameters,
            tuple(self.layout.variables),
            tuple(self.functions),
            tuple(self.families),
            requirements,
            None,
            tuple(self.layout.declared),
            idle_steps=True,  # a step that changes nothing is a step, as in SPIN
            queues=tuple(self._queues()),
        )

    def _list_first_ways(self, name: str) -> None:
        """The ways through an atomic sequence that runs begin with are commands of their own."""
        kind = begins_once(self.kinds) if self.claim is None else None
        if kind is not None and any(family.skips is not None for family in self.families):
            program = Program(name, (), tuple(self.layout.variables), tuple(self.functions), tuple(self.families))
            begin = [place if of is kind else None for of, place in self._begin]
            self.families = list(with_first_ways(program, kind, begin))

    def _queues(self) -> Iterator[QueueVariables]:
        """The channels that hold messages; what is behind the last one is 0."""
        for block in self.evaluating.blocks.values():
            if not block.rendezvous:
                yield QueueVariables(block.length, block.contents, (0,) * len(block.contents))

    # --- variables ----------------------------------------------------------------------------------------------------

    def _blocks(self, names: ChannelNames, kinds: Mapping[str, Kind]) -> dict[s.Declaration, Block]:
        blocks: dict[s.Declaration, Block] = {}
        base = 1
        for d in names.makers:
            if d.owner is not None and d.owner not in kinds:
                continue
            assert isinstance(d.initial, s.ChannelMaker)
            count = (d.length or 1) * (1 if d.owner is None else len(kinds[d.owner].pids))
            blocks[d] = Block(d, d.initial, count, base, tuple(_fields(d.initial)))
            base += count
        return blocks

    def _lay_out(self) -> None:
        known: Known = {}
        for d in self.module.globals:
            self._lay_out_variable(d, None, known)
        active = sum(kind.process.active for kind in self.kinds)
        most = max(kind.pids[-1] for kind in self.kinds) + 1
        self.running = self.layout.add_number("_nr_pr", most, active, self.kinds[0].process.span)
        priorities = _has_priorities(self.module)
        first = 0
        for kind in self.kinds:
            own = range(first, first + kind.process.active)
            first = own.stop
            start = kind.control.start.number
            self.layout.add_places(kind, [start if pid in own else 0 for pid in kind.pids])
            if priorities:
                first_priority = kind.process.priority or 1
                self.layout.add_priorities(kind, [first_priority if pid in own else 0 for pid in kind.pids])
            for d in kind.process.locals:
                self._lay_out_variable(d, kind, known, own)
        if self.claimed is not None:
            self.layout.add_places(self.claimed, [self.claimed.control.start.number])
            for d in self.claimed.process.locals:
                self._lay_out_variable(d, self.claimed, known, self.claimed.pids)
        if self.traced is not None:
            self.layout.add_places(self.traced, [self.traced.control.start.number])
        if _speaks_of_last(self.module):
            self.evaluating.last = self.layout.add_number("_last", most, 0, self.kinds[0].process.span)

    def _lay_out_variable(self, d: s.Declaration, kind: Kind | None, known: Known, own: range = range(0)) -> None:
        for maker in (d, *(made for _, made in d.within)):
            if maker in self.evaluating.blocks:
                self.layout.add_channels(self.evaluating.blocks[maker])
        if d in self.evaluating.fixed:
            return
        initial: list[Firsts | None] = []
        for pid in range(1) if kind is None else kind.pids:
            there = kind is None or pid in own
            initial.append(self._first_values(d, pid, kind, known) if there else None)
            if there:
                known[d, pid] = {leaf.path: leaf.initial for leaf in leaves(d.type, d.length)} | (initial[-1] or {})
        self.layout.add_declaration(d, kind, initial)

    def _first_values(self, d: s.Declaration, pid: int, kind: Kind | None, known: Known) -> Firsts:
        """What the leaves of the variable of the process have in the beginning, unless its type says it."""
        if isinstance(d.type, Basic):
            return {"": self._initial(d, pid, kind, known)}
        return {path: self._channels(made, pid, kind) for path, made in d.within}

    def _channels(self, maker: s.Declaration, pid: int, kind: Kind | None) -> tuple[int, ...]:
        """The numbers of the channels that the declaration makes for the process."""
        length = maker.length or 1
        first = self.evaluating.blocks[maker].base + (0 if kind is None else (pid - kind.pids[0]) * length)
        return tuple(range(first, first + length))

    def _initial(self, d: s.Declaration, pid: int, kind: Kind | None, known: Known) -> tuple[int, ...]:
        """What the elements of the variable of the process have in the beginning."""
        length = d.length or 1
        assert isinstance(d.type, Basic)
        if d in self.evaluating.blocks:
            return self._channels(d, pid, kind)
        if isinstance(d.initial, s.InitialList):
            return extended(tuple(d.type.wrapped(value) for value in d.initial.values), length)
        if d.initial is None or isinstance(d.initial, s.ChannelMaker):
            return (0,) * length

        def look(e: s.Expr) -> int | None:
            match e:
                case s.Reference(declaration=other, index=index) if other in self.evaluating.fixed:
                    at = 0 if index is None else constant(index, look)
                    own = 0 if kind is None or other.owner is None else (pid - kind.pids[0]) * (other.length or 1)
                    return None if at is None else self.evaluating.blocks[other].base + own + at
                case s.Reference(declaration=other):
                    return _known(e, known.get((other, 0 if other.owner is None else pid)), look)
                case s.Predefined(name="_pid"):
                    return pid
                case s.Predefined(name="_nr_pr"):
                    return pid + 1 + (self.claimed is not None)  # those before it are there, and it is
            return None

        value = constant(d.initial, look)
        if value is None:
            said = f"the first value of {d.name} is not known before the model runs"
            raise ModelRejected.of(said, d.initial.span, "assign it in a statement")
        return (d.type.wrapped(value),) * length

    # --- what speaks of the whole state -------------------------------------------------------------------------------

    def _about_the_whole(self) -> None:
        whole = self.evaluating.whole
        most = self.layout.variables[self.running].type.hi
        claims = 0 if self.claimed is None else 1  # SPIN counts a never claim as a process
        whole["_nr_pr"] = lambda span, pid: Value(plus(n.Read(span, self.running), claims), claims, most + claims)
        whole["_last"] = lambda span, pid: Value(n.Read(span, self.evaluating.last), 0, most)
        whole["timeout"] = lambda span, pid: Value(negated(n.Call(span, self._anything(), ())), 0, 1)
        whole["np_"] = self._no_progress
        whole["enabled"] = self._enabled
        whole["pc_value"] = self._place_number
        whole["get_priority"] = self._priority
        whole["_priority"] = self._priority

    def _anything(self, timeout: bool = False) -> int:
        """The function that says whether any process can go on, without a timeout or with one."""
        if timeout not in self._asked_anything:
            span = self.kinds[0].process.span
            each = [
                n.Call(span, self._able(kind, span, timeout), (n.Const(span, pid),))
                for kind in self.kinds
                for pid in kind.pids
            ]
            body = (n.Return(span, any_of(span, each)),)
            name = f"anything can be executed{' by a timeout' if timeout else ''}"
            self.functions.append(Function(name, 0, (), body, span))
            self._asked_anything[timeout] = len(self.functions) - 1
        return self._asked_anything[timeout]

    def _no_progress(self, span: Span, pid: n.Expr) -> Value:
        """Something can go on, and no process is at a label that means progress."""
        places = [
            equal(span, self.evaluating.place(kind, n.Const(span, pid), span), place.number)
            for kind in self.kinds
            for place in kind.control.progress
            for pid in kind.pids
        ]
        going = [n.Call(span, self._anything(timeout), ()) for timeout in (False, True)]
        return Value(all_of(span, (negated(any_of(span, places)), any_of(span, going))), 0, 1)

    def _enabled(self, span: Span, pid: n.Expr) -> Value:
        """Whether the process with a number can go on without a timeout."""
        cases = []
        for kind in self.kinds:
            test = all_of(span, self.evaluating.is_kind(kind, pid, span))
            if not is_false(test):
                cases.append(all_of(span, (test, n.Call(span, self._able(kind, span), (pid,)))))
        return Value(any_of(span, cases), 0, 1)

    def _able(self, kind: Kind, span: Span, timeout: bool = False) -> int:
        """The function that says whether the process of the kind with a number can go on."""
        key = kind.name, timeout
        if self._able_to.get(key, 0) < 0:
            said = f"whether {kind.name} can go on depends on itself here"
            raise ModelRejected.of(said, span, "leave out enabled or timeout")
        if key not in self._able_to:
            self._able_to[key] = -1
            slots = Slots(["pid"])
            pid = n.Const(span, kind.pids[0]) if kind.single else n.Local(span, 0)
            frame = Frame(kind, pid, slots)
            with self.evaluating.with_timeout(timeout):
                places = [self._can_leave(kind, place, frame) for place in self.stepping.places(kind)]
                value = all_of(span, (*self.stepping.provided(kind, frame), any_of(span, places)))
            body = (n.Return(span, value),)
            name = f"{kind.name} enabled{' by a timeout' if timeout else ''}"
            self.functions.append(Function(name, 1, tuple(slots.names), body, span))
            self._able_to[key] = len(self.functions) - 1
        return self._able_to[key]

    def _can_leave(self, kind: Kind, place: Element, frame: Frame) -> n.Expr:
        """Whether the process is at the place and can take a step from there."""
        steps = kind.control.steps[place]
        if any(isinstance(step.statement, s.Else) for step in steps):
            return self.stepping.here(kind, place, frame.pid, place.span)
        able = [
            any_of(place.span, (self.stepping.alone(kind, step, frame), self.stepping.can_meet(kind, step, frame)))
            for step in steps
        ]
        return all_of(place.span, (self.stepping.here(kind, place, frame.pid, place.span), any_of(place.span, able)))

    def _place_number(self, span: Span, pid: n.Expr) -> Value:
        most = max(len(kind.control.places) for kind in self.kinds)
        code: n.Expr = n.Const(span, 0)
        for kind in self.kinds:
            at = self.evaluating.place(kind, pid, span)
            test = all_of(span, [*self.evaluating.is_kind(kind, pid, span), at])
            code = n.Conditional(span, test, at, code)
        return Value(code, 0, most)

    def _priority(self, span: Span, pid: n.Expr) -> Value:
        """The priority of the process with a number; 0 if there is none."""
        code: n.Expr = n.Const(span, 0)
        for kind in self.kinds:
            test = all_of(span, self.evaluating.is_kind(kind, pid, span))
            if not is_false(test):
                there = self.evaluating.priority(kind, pid, span)
                code = there if is_true(test) else n.Conditional(span, test, there, code)
        return Value(code, 0, HIGHEST)

    def _highest(self, kind: Kind, frame: Frame) -> list[n.Expr]:
        """No process of a higher priority can go on."""
        if kind.priority < 0:
            return []
        span = kind.process.span
        own = self.evaluating.priority(kind, frame.pid, span)
        higher = []
        for other in self.kinds:
            able = self._able(other, span)
            for pid in other.pids:
                number = n.Const(span, pid)
                theirs = self.evaluating.priority(other, number, span)
                above = n.Binary(span, n.BinaryOp.GT, theirs, own)
                higher.append(all_of(span, (above, n.Call(span, able, (number,)))))
        return [negated(any_of(span, higher))]

    # --- commands -----------------------------------------------------------------------------------------------------

    def _commands(self, kind: Kind, place: Element) -> None:
        for step in kind.control.steps[place]:
            self._alone(kind, place, step)
            for meeting in self.stepping.meetings(kind, step):
                self._together(kind, place, step, meeting)
        self._begin += [(kind, place)] * (len(self.families) - len(self._begin))

    def _alone(self, kind: Kind, place: Element, step: Step) -> None:
        span = step.element.span
        opening = self._opening(kind, span, self.stepping.ways(kind, step))
        frame = opening.frame
        tests = self._taking(kind, place, step, frame, together=False)
        if is_false(all_of(span, tests)):
            return
        body = [*self.stepping.taken(kind, step, frame), *self.stepping.onward(kind, step, frame, opening.way)]
        name = f"[{_text(step)}] {kind.name}:{span.line}"
        self._family(name, [*_whens(tests), *body], opening, (kind, span), self.timeouts and waits(step))

    def _taking(self, kind: Kind, place: Element, step: Step, frame: Frame, together: bool) -> list[n.Expr]:
        steps = kind.control.steps[place]
        tests = [self.stepping.here(kind, place, frame.pid, step.element.span), *self.stepping.allowed(kind, frame)]
        for other, (besides, alone) in zip(steps, self.stepping.tests(kind, steps, frame), strict=True):
            if other is step:
                return [*tests, besides, *([] if together else [alone])]
        raise AssertionError(step)

    def _together(self, kind: Kind, place: Element, step: Step, meeting: Meeting) -> None:
        span, other = step.element.span, meeting.kind
        opening = self._opening(kind, span, self.stepping.ways(other, meeting.step), other)
        frame, receiver = opening.frame, opening.receiver
        assert receiver is not None
        tests = self._taking(kind, place, step, frame, together=True)
        tests.append(self.stepping.met(kind, step, frame, meeting, receiver))
        if is_false(all_of(span, tests)):
            return
        body = self.stepping.joint(kind, step, frame, meeting, receiver)
        body += self.stepping.onward(other, meeting.step, receiver, opening.way)
        places = f"{kind.name}:{span.line}, {other.name}:{meeting.step.element.span.line}"
        name = f"[{_text(step)} meets {_text(meeting.step)}] {places}"
        self._family(name, [*_whens(tests), *body], opening, (kind, span))

    def _stutter(self, claim: Claim) -> None:
        """If no process can go on, the claim moves alone."""
        span = claim.kind.process.span
        slots = Slots(["claim"])
        going = [n.Call(span, self._anything(timeout), ()) for timeout in (False, True)]
        body = (n.When(span, negated(any_of(span, going))), claim.move(span, n.Local(span, 0)))
        self.functions.append(Function("[nothing can go on]", 1, tuple(slots.names), body, span))
        ranges, first = (tuple(range(claim.ways)),), _next_command(self.families)
        function = len(self.functions) - 1
        self.families.append(Family("[nothing can go on]", function, ranges, Style.GUARDED, first, span, choices=1))

    def _opening(self, kind: Kind, span: Span, ways: Ways, other: Kind | None = None) -> Opening:
        """The parameters of a command: the numbers of its processes if there are several of a kind, and which of the
        ways through an atomic sequence and of the moves of the claim to take."""
        slots, ranges = Slots(), list[Sequence[int]]()

        def index(name: str, values: range) -> n.Expr:
            if len(values) == 1:
                return n.Const(span, values[0])
            ranges.append(values)
            return n.Local(span, slots.new(name))

        frame = Frame(kind, index("_pid", kind.pids), slots)
        receiver = None if other is None else Frame(other, index("receiver", other.pids), slots)
        move = None if self.claim is None else index("claim", range(self.claim.ways))
        number = index("way", range(ways.count))
        way = Way(number, ways, slots.new("skips") if ways.drawn else -1)
        return Opening(frame, receiver, way, move, tuple(ranges))

    def _family(
        self, name: str, body: list[n.Stmt], opening: Opening, of: tuple[Kind, Span], last: bool = False
    ) -> None:
        (kind, span), ranges = of, opening.ranges
        if self.claim is not None and opening.move is not None:
            body = [self.claim.move(span, opening.move), *body]
        body = [*opening.way.begun(span), *body]
        self._named[name] = self._named.get(name, 0) + 1
        if self._named[name] > 1:
            name += f" #{self._named[name]}"
        self.functions.append(Function(name, len(ranges), tuple(opening.frame.slots.names), tuple(body), span))
        choices = len(ranges) - (0 if kind.single else 1)
        function, first = len(self.functions) - 1, _next_command(self.families)
        family = Family(name, function, ranges, Style.GUARDED, first, span, None, kind.name, choices, last_resort=last)
        self.families.append(replace(family, skips=opening.way.skips) if opening.way.ways.drawn else family)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a command is given: whose step it is, with whom, which way to take (and of how many), and how the claim
    moves."""

    frame: Frame
    receiver: Frame | None
    way: Way
    move: n.Expr | None
    ranges: tuple[Sequence[int], ...]


def _next_command(families: list[Family]) -> int:
    return families[-1].first + families[-1].size if families else 0


def _speaks_of_last(module: s.Module) -> bool:
    claim = () if module.never is None else parts_of(module.never.body)
    in_formulas = any(token.text == "_last" for formula in module.formulas for token in formula.tokens)
    return in_formulas or any(isinstance(node, s.Predefined) and node.name == "_last" for node in claim)


def _has_priorities(module: s.Module) -> bool:
    """Whether the model speaks of priorities: then only processes of the highest one go on."""

    def speaks(node: s.Node) -> bool:
        match node:
            case s.SetPriority() | s.OfProcess(query="get_priority") | s.Predefined(name="_priority"):
                return True
            case s.Run(priority=int()):
                return True
        return False

    found = next((p.span for p in module.processes if p.priority or any(map(speaks, parts_of(p.body)))), None)
    variables = [*module.globals, *(d for p in module.processes for d in p.locals)]
    declared = [each for d in variables for each in (d, *(made for _, made in d.within))]
    met = next((d for d in declared if isinstance(d.initial, s.ChannelMaker) and d.initial.capacity == 0), None)
    if found is not None and met is not None:
        said = "priorities cannot be combined with rendezvous"
        raise ModelRejected.of(said, met.span, "give the channel room for a message, or leave the priorities out")
    return found is not None


def _known(e: s.Reference, firsts: Firsts | None, look: Look) -> int | None:
    """The first value of a part of a variable; None if it is not known."""
    if firsts is None:
        return None
    dims, indices, type = [e.declaration.length], [e.index], e.declaration.type
    for part in e.parts:
        member = type.member(part.name) if isinstance(type, Structure) else None
        assert member is not None
        dims.append(member.length)
        indices.append(part.index)
        type = member.type
    at = 0
    for length, index in zip(dims, indices, strict=True):
        if length is not None:
            here = 0 if index is None else constant(index, look)
            if here is None or not 0 <= here < length:
                return None
            at = at * length + here
    return firsts["".join(f".{part.name}" for part in e.parts)][at]


def _fields(maker: s.ChannelMaker) -> Iterator[Basic]:
    return (found for each in maker.fields for _, found in scalars(each))


def _whens(tests: list[n.Expr]) -> list[n.Stmt]:
    return [n.When(test.span, test) for test in tests if not is_true(test)]


def _text(step: Step) -> str:
    """The statement as it stands in the file."""
    if step.element.shape is Shape.END:
        return "-end-"
    if step.element.shape is Shape.D_STEP:
        return f"d_step {source_text(step.element.subs[0].first.span)} …"
    if isinstance(step.statement, s.Else):
        return "else"
    if step.element.shape is not Shape.STEP:
        return "goto"
    return source_text(step.element.span) + (" …" if step.atomic else "")
