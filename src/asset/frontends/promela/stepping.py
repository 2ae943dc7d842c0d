"""Steps of processes as commands of the IR.

A command is what leads from one state that SPIN stores to the next. An atomic sequence is one command as far as it is
not interrupted: after its first step, the process goes on (`resume`) until it has left the sequence or cannot go on. If
there are several ways through it, the last index of its command says which to take (`ways`). A rendezvous is one
command of two processes; if the receiver is inside an atomic sequence, it is the one that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asset.frontends.promela import syntax as s
from asset.frontends.promela.acting import Acting
from asset.frontends.promela.apart import Apart
from asset.frontends.promela.code import (
    Slots,
    Value,
    all_of,
    any_of,
    equal,
    guarded,
    is_false,
    negated,
    plus,
)
from asset.frontends.promela.control import Element, Shape, Step
from asset.frontends.promela.evaluating import Frame
from asset.frontends.promela.exclusion import exclusive
from asset.frontends.promela.layout import Block, Kind
from asset.frontends.promela.resting import resting_places
from asset.frontends.promela.timeouts import waits
from asset.frontends.promela.ways import AGAIN, MOST_COMMANDS, MOST_DRAWN, Choosing, Taken, Way, Ways
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.span import Span

NEXT = 3
"""The slot of `resume` that says where the process is: the number of an entry, or 0 if the command ends."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A step that can receive by rendezvous what another one sends."""

    kind: Kind
    place: Element
    step: Step
    first: Step
    """The statement that receives: the step itself, or one that a d_step begins with."""


@dataclass(frozen=True, slots=True)
class Option:
    """A step that may be taken now, alone or with the receiver: when, what it does, and who goes on after it."""

    test: n.Expr
    body: tuple[n.Stmt, ...]
    step: Step
    next: tuple[Kind, Element, n.Expr] | None
    """The process that goes on, and where, if the step does not end the command."""


At = tuple[Kind, Element]
"""A place of the processes of a kind."""


@dataclass(slots=True)
class Region:
    """Places that are come to in the same commands, numbered from 1 on, and the function that goes on from each."""

    numbers: dict[At, int] = field(default_factory=dict)
    functions: dict[bool, int] = field(default_factory=dict)
    """Where choices are drawn, and where they are not."""


@dataclass(slots=True)
class Stepping:
    acting: Acting
    kinds: Sequence[Kind]
    functions: list[Function] = field(default_factory=list)
    highest: Callable[[Kind, Frame], list[n.Expr]] = lambda kind, frame: []
    """What must hold for no process of a higher priority to go on."""
    claimed: bool = False
    """Whether there is a never claim, which asks about processes inside atomic sequences too."""
    apart: Apart = field(default_factory=Apart)
    most_drawn: int = MOST_DRAWN
    """Numbers that the choices of one atomic sequence are drawn from."""
    _regions: dict[At, Region] = field(default_factory=dict)
    _places: dict[str, list[Element]] = field(default_factory=dict)

    def places(self, kind: Kind) -> list[Element]:
        """The places at which a process of the kind can be while others go on."""
        if self.claimed or kind.process.provided is not None or kind.priority >= 0:
            return kind.control.places
        if kind.name not in self._places:
            self._places[kind.name] = resting_places(kind.control, self._may_meet)
        return self._places[kind.name]

    def _may_meet(self, step: Step) -> bool:
        send = step.statement
        return isinstance(send, s.Send) and any(b.rendezvous for b in self.acting.evaluating.candidates(send.channel))

    # --- when a step can be taken -------------------------------------------------------------------------------------

    def here(self, kind: Kind, place: Element, pid: n.Expr, span: Span) -> n.Expr:
        return equal(span, self.acting.evaluating.place(kind, pid, span), place.number)

    def provided(self, kind: Kind, frame: Frame) -> list[n.Expr]:
        given = kind.process.provided
        return [] if given is None else [self.acting.evaluating.test(given, frame)]

    def allowed(self, kind: Kind, frame: Frame) -> list[n.Expr]:
        """What must hold for the process to take any step."""
        return [*self.provided(kind, frame), *self.highest(kind, frame)]

    def alone(self, kind: Kind, step: Step, frame: Frame) -> n.Expr:
        """Whether the step can be taken by the process alone, but for `else` and escapes."""
        if step.element.shape is Shape.D_STEP:
            return self._first_of(kind, _begun(kind, step), frame)
        if step.element.shape is Shape.END:
            running = n.Read(step.element.span, self.acting.running)
            return n.Binary(step.element.span, n.BinaryOp.EQ, running, plus(frame.pid, 1))
        return self.acting.guard(step.statement, frame)

    def _first_of(self, kind: Kind, steps: Sequence[Step], frame: Frame) -> n.Expr:
        if any(isinstance(step.statement, s.Else) for step in steps):
            return n.Const(steps[0].element.span, 1)
        able = [any_of(step.element.span, (self.alone(kind, step, frame), self._offers(step, frame))) for step in steps]
        return any_of(steps[0].element.span, able)

    def tests(self, kind: Kind, steps: Sequence[Step], frame: Frame) -> list[tuple[n.Expr, n.Expr]]:
        """For each step of a place: what must hold besides for it to be taken, and whether it can be taken alone.

        Where a step of a process can be taken that waits for no timeout, there is none.
        """
        found: list[tuple[n.Expr, n.Expr]] = []
        earlier: list[tuple[Step, n.Expr]] = []
        for step in steps:
            span = step.element.span
            alone = self.alone(kind, step, frame)
            quiet = kind in self.kinds and not waits(step)
            before = [(other, test) for other, test in earlier if not (quiet and waits(other))]
            besides = [
                negated(all_of(span, (any_of(span, (test, self.can_meet(kind, other, frame))), kept)))
                for (other, test), kept in zip(before, self._kept([other for other, _ in before], frame), strict=True)
                if other.escape is not None and other.escape is not step.escape
            ]
            if isinstance(step.statement, s.Else):
                taken = [any_of(span, (test, self.can_meet(kind, other, frame))) for other, test in before]
                besides.append(negated(any_of(span, taken)))
            found.append((all_of(span, besides), alone))
            earlier.append((step, alone))
        return found

    def _kept(self, steps: Sequence[Step], frame: Frame) -> list[n.Expr]:
        """For each step: whether SPIN remembers that it could be taken. It forgets that an escape was taken when it
        tries a rendezvous of the same escape that nobody takes; one that somebody takes is itself remembered."""
        found: list[n.Expr] = []
        for k, step in enumerate(steps):
            offers = [self._offers(other, frame) for other in steps[k + 1 :] if other.escape is step.escape]
            found.append(negated(any_of(step.element.span, offers)))
        return found

    def _offers(self, step: Step, frame: Frame) -> n.Expr:
        """Whether the step sends by rendezvous."""
        send, evaluating = step.statement, self.acting.evaluating
        if not isinstance(send, s.Send):
            return n.Const(step.element.span, 0)
        candidates = evaluating.candidates(send.channel)
        if all(block.rendezvous for block in candidates):
            return n.Const(send.span, 1)
        blocks = [block for block in candidates if block.rendezvous]
        return any_of(send.span, [test for _, test, _ in evaluating.chosen(send.channel, frame, blocks)])

    # --- rendezvous ---------------------------------------------------------------------------------------------------

    def meetings(self, sender: Kind, step: Step) -> Iterator[Meeting]:
        """The steps that can receive what the step of the sender sends by rendezvous."""
        send, evaluating = step.statement, self.acting.evaluating
        if not isinstance(send, s.Send):
            return
        offered = {b for b in evaluating.candidates(send.channel) if b.rendezvous}
        if not offered:
            return
        for kind in self.kinds:
            for place in self.places(kind):
                for other in kind.control.steps[place]:
                    for first in _begun(kind, other):
                        receive = first.statement
                        if not isinstance(receive, s.Receive):
                            continue
                        common = offered & set(evaluating.candidates(receive.channel))
                        if kind is sender and self.apart.never_meet(kind.name, send, receive):
                            continue
                        if any(self._may_match(send, receive, block) for block in common):
                            yield Meeting(kind, place, other, first)

    def _may_match(self, send: s.Send, receive: s.Receive, block: Block) -> bool:
        """False if constants tell that the receive never takes the message, and trying it is no error."""
        evaluating = self.acting.evaluating
        if any(_is_indexed(each.channel) or evaluating.misfit(each, block) for each in (send, receive)):
            return True
        taken = zip(evaluating.sent(send, block), evaluating.flattened(receive, block), block.fields, strict=True)
        return not any(
            argument.matched
            and isinstance(sent, s.Number)
            and isinstance(argument.value, s.Number)
            and field.wrapped(sent.value) != argument.value.value
            for sent, argument, field in taken
        )

    def met(self, kind: Kind, step: Step, frame: Frame, meeting: Meeting, other: Frame) -> n.Expr:
        """Whether the receiver is there and takes the message."""
        span = step.element.span
        tests = [self.here(meeting.kind, meeting.place, other.pid, span), *self.provided(meeting.kind, other)]
        if not set(kind.pids).isdisjoint(meeting.kind.pids):
            tests.insert(1, _different(span, frame.pid, other.pid))
        tests.append(self._accepts(step, frame, meeting.first, other))
        preferred: list[Step] = []
        for escape in meeting.kind.control.steps[meeting.place]:
            if escape is meeting.step:
                break
            if escape.escape is not None and escape.escape is not meeting.step.escape:
                preferred += _begun(meeting.kind, escape)
        begun = _begun(meeting.kind, meeting.step)
        preferred += begun[: begun.index(meeting.first)]  # a d_step takes the first one that it can
        tests += [negated(self._accepts(step, frame, each, other)) for each in preferred]
        return all_of(span, tests)

    def _accepts(self, step: Step, frame: Frame, receiver: Step, other: Frame) -> n.Expr:
        send, receive, evaluating = step.statement, receiver.statement, self.acting.evaluating
        if not isinstance(send, s.Send) or not isinstance(receive, s.Receive):
            return n.Const(step.element.span, 0)
        blocks = [b for b in evaluating.candidates(send.channel) if b.rendezvous]
        blocks = [b for b in blocks if b in evaluating.candidates(receive.channel)]
        ours, theirs = evaluating.value(send.channel, frame), evaluating.value(receive.channel, other)
        same: n.Expr = n.Binary(send.span, n.BinaryOp.EQ, ours.code, theirs.code)
        if ours.constant is not None and theirs.constant is not None:
            same = n.Const(send.span, int(ours.constant == theirs.constant))
        cases = []
        for block, test, _ in evaluating.chosen(send.channel, frame, blocks):
            message = [value.code for value in self.acting.message(send, block, frame)]
            cases.append(all_of(send.span, (test, evaluating.matching(receive, block, message, other))))
        return all_of(send.span, (same, any_of(send.span, cases)))

    def can_meet(self, kind: Kind, step: Step, frame: Frame) -> n.Expr:
        """Whether some process takes the message now."""
        return any_of(
            step.element.span,
            [self.met(kind, step, frame, meeting, other) for meeting, other in self._receivers(kind, step, frame)],
        )

    def _receivers(self, kind: Kind, step: Step, frame: Frame) -> Iterator[tuple[Meeting, Frame]]:
        for meeting in self.meetings(kind, step):
            for pid in meeting.kind.pids:
                yield meeting, Frame(meeting.kind, n.Const(step.element.span, pid), frame.slots)

    def joint(self, kind: Kind, step: Step, frame: Frame, meeting: Meeting, other: Frame) -> list[n.Stmt]:
        """What a rendezvous does: the sender goes on, then the receiver has the message."""
        send, receive, span = step.statement, meeting.first.statement, step.element.span
        assert isinstance(send, s.Send) and isinstance(receive, s.Receive)
        evaluating = self.acting.evaluating
        both = [b for b in evaluating.candidates(send.channel) if b in evaluating.candidates(receive.channel)]
        cases: list[n.Case] = []
        for block, test, at in evaluating.chosen(send.channel, frame, [b for b in both if b.rendezvous]):
            code: list[n.Stmt] = []
            kept: list[Value] = []
            for k, value in enumerate(self.acting.message(send, block, frame)):
                slot = frame.slots.new(f"field{k}")
                code.append(n.SetLocal(span, slot, value.code))
                kept.append(Value(n.Local(span, slot), value.lo, value.hi))
            handed = [value.code for value in kept]
            for sends in (True, False):
                code += self.acting.traced(span, block, at, handed, sends)
            code += self.arrive(kind, step, frame)
            code += self.acting.received(receive, block, kept, other)
            code = self.acting.fitting(send, block, self.acting.fitting(receive, block, code))
            cases.append(n.Case(span, test, tuple(code)))
        body = cases[0].body if len(cases) == 1 else (n.If(span, tuple(cases)),)
        claims = [*self.acting.respected(send, frame), *self.acting.respected(receive, other)]
        if meeting.first is not meeting.step:
            body = (*body, *self._d_step_from(meeting.kind, meeting.step, meeting.first.target, other))
        return [*claims, *body, *self.arrive(meeting.kind, meeting.step, other)]

    # --- what a step does ---------------------------------------------------------------------------------------------

    def arrive(self, kind: Kind, step: Step, frame: Frame) -> list[n.Stmt]:
        """The process is at the target of the step."""
        span = step.element.span
        assert step.target is not None
        indices = () if kind.single else (plus(frame.pid, -kind.pids[0]),)
        return [
            *self.acting.moved(span, frame),
            n.SetState(span, kind.place, indices, n.Const(span, step.target.number)),
        ]

    def taken(self, kind: Kind, step: Step, frame: Frame) -> list[n.Stmt]:
        """The step, taken by the process alone."""
        if step.element.shape is Shape.END:
            return self.acting.ending(kind, frame)
        if step.element.shape is Shape.D_STEP:
            return [*self._d_step(kind, step, frame), *self.arrive(kind, step, frame)]
        return [*self.acting.effect(step.statement, frame), *self.arrive(kind, step, frame)]

    # --- d_step -------------------------------------------------------------------------------------------------------

    def _d_step(self, kind: Kind, step: Step, frame: Frame) -> list[n.Stmt]:
        """Of several steps the first that can be taken is taken; it is an error if there is none."""
        begun = _begun(kind, step)
        if len(begun) > 1:
            return self._d_step_loop(kind, step, kind.control.inside[step.element].start, frame)
        (first,) = begun
        return [*self._inner(kind, first, frame, first=True), *self._d_step_from(kind, step, first.target, frame)]

    def _d_step_from(self, kind: Kind, step: Step, target: Element | None, frame: Frame) -> list[n.Stmt]:
        """What follows in the d_step after a statement that leads to the target."""
        inside = kind.control.inside[step.element]
        code, passed = list[n.Stmt](), {inside.start}
        while target in inside.steps:
            assert target is not None
            if target in passed or len(inside.steps[target]) > 1:
                return [*code, *self._d_step_loop(kind, step, target, frame)]
            passed.add(target)
            (only,) = inside.steps[target]
            code += self._inner(kind, only, frame)
            target = only.target
        return code

    def _inner(self, kind: Kind, step: Step, frame: Frame, first: bool = False) -> list[n.Stmt]:
        known = first and is_false(self._offers(step, frame))  # it is where the whole d_step can be taken
        guard = n.Const(step.element.span, 1) if known else self.alone(kind, step, frame)
        blocked = guarded(step.element.span, negated(guard), [_blocked(step.element.span)])
        return [*blocked, *self.acting.effect(step.statement, frame)]

    def _d_step_loop(self, kind: Kind, step: Step, start: Element, frame: Frame) -> list[n.Stmt]:
        span, inside = step.element.span, kind.control.inside[step.element]
        slot = frame.slots.new("inside")
        numbers = {place: k + 1 for k, place in enumerate(inside.steps)}

        def onward(target: Element | None) -> n.Stmt:
            return n.SetLocal(span, slot, n.Const(span, numbers.get(target, 0) if target is not None else 0))

        cases: list[n.Case] = []
        for place, steps in inside.steps.items():
            choices = [
                n.Case(
                    each.element.span,
                    n.Const(each.element.span, 1)
                    if isinstance(each.statement, s.Else)
                    else self.alone(kind, each, frame),
                    (*self.acting.effect(each.statement, frame), onward(each.target)),
                )
                for each in steps
            ]
            body = (n.If(place.span, tuple(choices), (_blocked(place.span),)),)
            cases.append(n.Case(span, equal(span, n.Local(span, slot), numbers[place]), body))
        going = n.Binary(span, n.BinaryOp.NE, n.Local(span, slot), n.Const(span, 0))
        return [onward(start), n.While(span, going, (n.If(span, tuple(cases)),))]

    # --- going on in an atomic sequence -------------------------------------------------------------------------------

    def onward(self, kind: Kind, step: Step, frame: Frame, way: Way) -> list[n.Stmt]:
        """What follows an atomic step in the same command: a chain of steps, then whatever `resume` finds."""
        with self.acting.evaluating.with_timeout(False):
            return self._onward(kind, step, frame, way)

    def _onward(self, kind: Kind, step: Step, frame: Frame, way: Way) -> list[n.Stmt]:
        code: list[n.Stmt] = []
        passed: set[Element] = set()
        while step.atomic and step.target is not None:
            place = step.target
            steps = kind.control.steps[place]
            bound = kind.process.provided is not None or kind.priority >= 0
            if place in passed or len(steps) > 1 or any(self.meetings(kind, steps[0])) or bound:
                function, number = self.resume((kind, place), way.ways.drawn)
                ways, start = n.Const(place.span, way.ways.count), n.Const(place.span, number)
                call = n.Call(place.span, function, (frame.pid, way.number, ways, start))
                return [*code, *way.resumed(place.span, call, frame.slots)]
            passed.add(place)
            step = steps[0]
            guard = self.alone(kind, step, frame)
            ended = (*way.over(), *(() if way.ways.drawn else (n.Return(place.span),)))
            code += guarded(place.span, negated(guard), ended)
            code += self.taken(kind, step, frame)
        return [*code, *way.over()]

    def ways(self, kind: Kind, step: Step) -> Ways:
        """The most ways that there can be to go on after the step in the same command."""
        if not step.atomic or step.target is None:
            return Ways()
        found = self._region(kind, step.target)
        if all(count == 1 for count, _ in found.values()):
            return Ways()
        product = _longest((kind, step.target), found, [])
        if product is not None and product <= MOST_COMMANDS:
            return Ways(product)
        return Ways(self.most_drawn, drawn=True)

    def _region(self, kind: Kind, place: Element) -> dict[At, tuple[int, list[At]]]:
        """Each place that can be come to in the same command: how many steps can be taken, and where they lead."""
        found: dict[At, tuple[int, list[At]]] = {}
        pending = [(kind, place)]
        while pending:
            at = pending.pop()
            if at in found:
                continue
            steps = at[0].control.steps[at[1]]
            met = [m for step in steps for m in self.meetings(at[0], step)]
            count = 1 if exclusive(steps) and not met else len(steps) + sum(len(m.kind.pids) for m in met)
            onward = [(at[0], step.target) for step in steps if step.atomic and step.target is not None]
            onward += [(m.kind, m.step.target) for m in met if m.step.atomic and m.step.target is not None]
            found[at] = count, onward
            pending += onward
        return found

    def _going_on(self) -> Mapping[At, Region]:
        """Each place that a step leads to which does not end its command, with all that it can be connected with."""
        if not self._regions:
            entered = [(k, p) for k in self.kinds for p in k.control.places if _entered_atomically(self.kinds, p)]
            above = {at: at for at in entered}

            def root(at: At) -> At:
                while above[at] is not at:
                    at = above[at]
                return at

            for at in entered:
                for onward in self._region(*at):
                    above[root(onward)] = root(at)
            regions = {at: Region() for at in entered if root(at) is at}
            for at in entered:
                regions[root(at)].numbers[at] = len(regions[root(at)].numbers) + 1
            self._regions = {at: regions[root(at)] for at in entered}
        return self._regions

    def resume(self, at: At, drawn: bool) -> tuple[int, int]:
        """The function that goes on with a process from the place: given its number, the choice, how many there are,
        and the number of the place, which is the second thing returned here."""
        region = self._going_on()[at]
        if drawn not in region.functions:
            slots = Slots(["pid", "choice", "ways", "next"])
            span = self.kinds[0].process.span
            choosing = Choosing(drawn, slots.new("left" if drawn else "bases"))
            bodies = [self._resumed(*each, slots, choosing) for each in region.numbers]
            here = n.Local(span, NEXT)
            loop = n.While(span, here, _dispatched(here, bodies, 1))
            body = (choosing.begun(span), loop, *choosing.over(span))
            self.functions.append(Function("resume", 4, tuple(slots.names), body, span))
            region.functions[drawn] = len(self.functions) - 1
        return region.functions[drawn], region.numbers[at]

    def _resumed(self, kind: Kind, place: Element, slots: Slots, choosing: Choosing) -> tuple[n.Stmt, ...]:
        pid = n.Const(place.span, kind.pids[0]) if kind.single else n.Local(place.span, 0)
        return self._chosen(kind, place, Frame(kind, pid, slots), choosing)

    def _chosen(self, kind: Kind, place: Element, frame: Frame, choosing: Choosing) -> tuple[n.Stmt, ...]:
        """One step from the place, as the choice says; none if none can be taken."""
        span, slots = place.span, frame.slots
        stop = n.SetLocal(span, NEXT, n.Const(span, 0))
        options = list(self._options(kind, place, frame))
        if not options:
            return (stop,)
        bodies = [(*option.body, *self._handed(option)) for option in options]
        if exclusive([option.step for option in options]):
            cases = zip(options, bodies, strict=True)
            return (n.If(span, tuple(n.Case(span, option.test, body) for option, body in cases), (stop,)),)
        taken = [
            Taken(slots.new("can"), body, self._share((kind, place), option))
            for option, body in zip(options, bodies, strict=True)
        ]
        total = slots.new("total")
        code: list[n.Stmt] = [n.SetLocal(span, total, n.Const(span, 0))]
        for option, each in zip(options, taken, strict=True):  # branches, so that analyses know the numbers on each
            counted = n.SetLocal(span, total, plus(n.Local(span, total), choosing.weighed(each)))
            can, cannot = (n.SetLocal(span, each.flag, n.Const(span, known)) for known in (1, 0))
            code.append(n.If(span, (n.Case(span, option.test, (can, counted)),), (cannot,)))
        none = n.Case(span, equal(span, n.Local(span, total), 0), (stop,))
        return (*code, n.If(span, (none,), choosing.picked(span, taken, total, slots)))

    def _share(self, at: At, option: Option) -> int:
        """The share of the numbers that the step gets where choices are drawn."""
        again = option.next is not None and at in self._region(*option.next[:2])
        return AGAIN if again else 1

    def _handed(self, option: Option) -> tuple[n.Stmt, ...]:
        """Who goes on after the step, and where."""
        span = option.step.element.span
        if option.next is None:
            return (n.SetLocal(span, NEXT, n.Const(span, 0)),)
        kind, place, pid = option.next
        onward = n.SetLocal(span, NEXT, n.Const(span, self._going_on()[kind, place].numbers[kind, place]))
        return (n.SetLocal(span, 0, pid), onward)

    def _options(self, kind: Kind, place: Element, frame: Frame) -> Iterator[Option]:
        steps = kind.control.steps[place]
        provided = self.allowed(kind, frame)
        for step, (besides, alone) in zip(steps, self.tests(kind, steps, frame), strict=True):
            test = all_of(place.span, (*provided, besides, alone))
            if not is_false(test):
                onward = (kind, step.target, frame.pid) if step.atomic and step.target is not None else None
                yield Option(test, tuple(self.taken(kind, step, frame)), step, onward)
            for meeting, other in self._receivers(kind, step, frame):
                test = all_of(place.span, (*provided, besides, self.met(kind, step, frame, meeting, other)))
                body = tuple(self.joint(kind, step, frame, meeting, other))
                target = meeting.step.target
                onward = (meeting.kind, target, other.pid) if meeting.step.atomic and target is not None else None
                if not is_false(test):
                    yield Option(test, body, step, onward)


def _begun(kind: Kind, step: Step) -> list[Step]:
    """The statements that the step can begin with: its own, or those of a d_step."""
    if step.element.shape is not Shape.D_STEP:
        return [step]
    inside = kind.control.inside[step.element]
    return inside.steps[inside.start]


def _is_indexed(e: s.Reference) -> bool:
    """By something else than numbers: it may be out of bounds."""
    indices = (e.index, *(part.index for part in e.parts))
    return any(index is not None and not isinstance(index, s.Number) for index in indices)


def _dispatched(number: n.Expr, bodies: Sequence[tuple[n.Stmt, ...]], first: int) -> tuple[n.Stmt, ...]:
    """The body that the number says, the first of them being that of `first`: found by halves."""
    if len(bodies) == 1:
        return bodies[0]
    half = len(bodies) // 2
    test = n.Binary(number.span, n.BinaryOp.LT, number, n.Const(number.span, first + half))
    lower, upper = _dispatched(number, bodies[:half], first), _dispatched(number, bodies[half:], first + half)
    return (n.If(number.span, (n.Case(number.span, test, lower),), upper),)


def _different(span: Span, left: n.Expr, right: n.Expr) -> n.Expr:
    if isinstance(left, n.Const) and isinstance(right, n.Const):
        return n.Const(span, int(left.value != right.value))
    return n.Binary(span, n.BinaryOp.NE, left, right)


def _entered_atomically(kinds: Sequence[Kind], place: Element) -> bool:
    """Whether a step that does not end its command leads there."""
    return any(
        step.atomic and step.target is place for kind in kinds for each in kind.control.steps.values() for step in each
    )


def _longest(at: At, region: Mapping[At, tuple[int, list[At]]], path: list[At]) -> int | None:
    """The greatest product of choices along a way through the region; None if it goes round."""
    if at in path:
        return None
    if len(path) > 200:
        return None
    count, onward = region[at]
    found = [_longest(each, region, [*path, at]) for each in onward]
    known = [each for each in found if each is not None]
    return None if len(known) < len(found) else count * max(known, default=1)


def _blocked(span: Span) -> n.Stmt:
    return n.Fail(span, FaultKind.RAISE, ("a statement inside d_step cannot be executed",))
