"""A model as a module of Python, with a process for each proctype."""

from __future__ import annotations

from collections.abc import Iterator

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Element, Step
from asset.frontends.promela.expressions import Scope
from asset.frontends.promela.in_python.channels import Channels
from asset.frontends.promela.in_python.comments import Comments
from asset.frontends.promela.in_python.declaring import Declaring, around_of, array
from asset.frontends.promela.in_python.expressions import Expressions
from asset.frontends.promela.in_python.flow import Flow
from asset.frontends.promela.in_python.formulas import is_invariant, written
from asset.frontends.promela.in_python.meeting import Awaiting, meets, require_plain_meetings
from asset.frontends.promela.in_python.names import Names, Unsaid
from asset.frontends.promela.in_python.places import ACCEPT, PROGRESS, Asked, Places, range_of
from asset.frontends.promela.in_python.statements import Lines, Statements
from asset.frontends.promela.in_python.tidying import folded, with_bodies, with_plain_loops, without_last_continue
from asset.frontends.promela.in_python.timeouts import Timeouts, require_plain_timeouts, speaks_of_timeouts, words_of
from asset.frontends.promela.in_python.values import Values
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.lowering import Lowered
from asset.frontends.promela.naming import parts_of
from asset.frontends.promela.resting import resting_places
from asset.frontends.promela.temporal import parse_formula
from asset.frontends.promela.types import Basic
from asset.logic import formulas as f
from asset.logic.python_words import PYTHON_WORDS

HELPERS = {
    "as_int": ("value", "return (value + 2**31) % 2**32 - 2**31", "C's int has 32 bits, and wraps around."),
    "as_short": ("value", "return (value + 2**15) % 2**16 - 2**15", "C's short has 16 bits, and wraps around."),
    "quotient": (
        "a, b",
        "return abs(a) // abs(b) if (a < 0) == (b < 0) else -(abs(a) // abs(b))",
        "C rounds towards 0.",
    ),
    "remainder": ("a, b", "return abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))", "As C does, towards 0."),
}
_IMPORTED = ("Array", "Int", "Queue", "choose", "invariant", "must_progress", "process", "temporal", "terminal", "when")


def python_processes(lowered: Lowered, module: s.Module, scope: Scope) -> str:
    """The text of the module; raises Unsaid if processes in Python cannot say what the model does."""
    if module.never is not None:
        remedy = "write an ltl block, which becomes a @temporal method; -D _claim=off leaves the claim out"
        raise Unsaid("a never claim", module.never.span, remedy)
    if module.trace is not None:
        remedy = "leave it out, and assert in the processes what it says of the messages"
        raise Unsaid(f"a {module.trace.name}", module.trace.span, remedy)
    asked = frozenset[s.Receive]()
    while True:  # what asks about a place is known when all is written, and the place needs a label then
        writing = _Module(lowered, module, scope, asked)
        lines = list(folded(writing.lines()))
        if writing.asked == asked:
            return "".join(f"{'    ' * depth}{text}".rstrip() + "\n" for depth, text in lines)
        asked = writing.asked


class _Module:
    """`asked` are the statements that receive by rendezvous and are asked about."""

    def __init__(self, lowered: Lowered, module: s.Module, scope: Scope, asked: frozenset[s.Receive]) -> None:
        self._lowered, self._module, self._scope = lowered, module, scope
        self._variables = {variable.name: variable for variable in lowered.program.variables}
        self._names = Names()
        self._helpers: set[str] = set()
        self._names.declare(module.globals)
        self._values = Values(module.mtypes, self._names)
        made = {e.process for p in module.processes for e in parts_of(p.body) if isinstance(e, s.Run)}
        self._makers = {k.name: self._names.new(f"run_{k.name}") for k in lowered.kinds if k.name in made}
        self._running = {name: self._names.new(f"{name}_runs") for name in self._makers}
        self._processes: dict[str, str] = {}
        for kind in lowered.kinds:
            self._names.declare(kind.process.locals, kind)
            self._processes[kind.name] = self._names.new(kind.name, f"{kind.name}_process")
        self._gotos = {kind.name: self._names.new(f"{kind.name}_goto") for kind in lowered.kinds}
        self._places: dict[str, Places] = {}
        self._channels = Channels(module, lowered.channels, lowered.kinds, self._names)
        self._declaring = Declaring(self._names, self._channels, self._variables, self._values)
        require_plain_meetings(self._channels, lowered.kinds)
        self._timeout = ""
        if any(speaks_of_timeouts(kind.process.body) for kind in lowered.kinds):
            require_plain_timeouts(lowered.kinds)
            self._timeout = self._names.new("timeout")
        self._able = [self._names.new(f"{kind.name}_can_go_on") for kind in lowered.kinds if self._timeout]
        self._words: dict[str, dict[Element, str]] = {}
        for kind in lowered.kinds:
            labels = [label for process, label in scope.referenced if process == kind.name]
            resting = resting_places(kind.control, self._may_meet, self._has_no_room)
            self._words[kind.name] = words_of(kind, resting) if self._timeout else {}
            more = Asked(resting, asked, self._words[kind.name])
            running = self._running.get(kind.name)
            self._places[kind.name] = Places(kind, self._processes[kind.name], running, labels, more)
        for kind in lowered.kinds:
            others = (set(other.pids) for other in lowered.kinds if other is not kind)
            if all(others.isdisjoint(kind.pids) for others in others):
                self._places[kind.name].first_is_least = True
        self._may_idle = any(places.may_idle for places in self._places.values())
        self._flows: dict[str, Flow] = {}
        self._comments = Comments()
        kinds = {kind.name: kind for kind in lowered.kinds}
        self._awaiting = Awaiting(self._channels, self._places, lambda name: self._expressions(kinds[name]))

    @property
    def asked(self) -> frozenset[s.Receive]:
        return frozenset(self._awaiting.asked)

    def _may_meet(self, step: Step) -> bool:
        return isinstance(step.statement, s.Send) and meets(self._channels, step.statement)

    def _has_no_room(self, step: Step) -> bool:
        """Whether it waits for a rendezvous not to be full, or to be empty: it always is."""
        asked = step.statement.value if isinstance(step.statement, s.Condition) else None
        if not isinstance(asked, s.ChannelQuery) or not self._channels.names_some(asked.channel):
            return False
        return asked.query in ("nfull", "empty") and self._channels.group(asked.channel).capacity == 0

    def lines(self) -> Lines:
        kinds = self._lowered.kinds
        processes = [line for kind in kinds for line in self._process(kind)]
        makers = [line for kind in kinds for line in self._maker(kind)]
        asked = [*self._timeouts(), *self._valid_ends(), *self._labelled(), *self._formulas()]
        body = [*self._state(), *processes, *makers, *asked]
        yield from self._head(" ".join(line for _, line in body))
        title = "".join(c for c in self._lowered.program.name.title() if c.isalnum())
        yield from ((0, ""), (0, ""))
        if self._may_idle:
            yield 0, "@idle_steps"
        yield 0, f"class {title if title[:1].isalpha() else f'M{title}'}(Model):"
        yield from body

    def _head(self, text: str) -> Lines:
        """What stands before the model, whose text it is."""
        enumerations = dict(self._values.enumerations)
        for name, flow in self._flows.items():
            if len(flow.parts) > 1:
                enumerations[f"{name}Label"] = {part: k for k, part in enumerate(flow.parts)}
        name = self._lowered.program.name
        yield 0, f'"""{name}, written by `asset translate`: each statement of Promela is a step."""'
        yield 0, ""
        if enumerations:
            yield 0, "from enum import IntEnum"
            yield 0, ""
        words = [name for name in (*_IMPORTED, *PYTHON_WORDS.values()) if f"{name}(" in text or f"@{name}" in text]
        records = self._declaring.records
        words += [*(["Record"] if records else []), *(["idle_steps"] if self._may_idle else [])]
        yield 0, f"from asset import {', '.join(sorted(['Model', *words]))}"
        if "Synchronous(" in text:
            yield 0, "from asset.channels import Synchronous"
        for name, members in enumerations.items():
            yield from ((0, ""), (0, ""), (0, f"class {name}(IntEnum):"))
            yield from ((1, f"{member} = {value}") for member, value in members.items())
        for name, parts in records.items():
            yield from ((0, ""), (0, ""), (0, f"class {name}(Record):"))
            yield from ((1, part) for part in parts)
        if any(self._channels.uneven):
            yield from ((0, ""), (0, ""))
        for group in self._channels.uneven:
            yield 0, f"{group.room} = {tuple(group.capacities)}  # how many messages each of self.{group.name} holds"
        for name in sorted(self._helpers):
            parameters, code, said = HELPERS[name]
            yield from ((0, ""), (0, ""), (0, f"def {name}({parameters}):"), (1, f'"""{said}"""'), (1, code))

    # --- the state ----------------------------------------------------------------------------------------------------

    def _state(self) -> Lines:
        yield 1, "def state(self):"
        for d in self._module.globals:
            yield from ((2, comment) for comment in self._comments.above(d.span))
            for k, (depth, text) in enumerate(self._declaring.declared(d, None)):
                yield depth, text if k else text + self._comments.behind(d.span)
        for kind in self._lowered.kinds:
            own = [line for d in kind.process.locals for line in self._declaring.declared(d, kind)]
            if own:
                yield 2, f"# {kind.name}"
            yield from own
            yield from self._begun(kind)
            flow = self._flows[kind.name]
            if len(flow.parts) > 1 and flow.keeps_goto:
                first = f"{kind.name}Label.{flow.parts[0]}"
                told = "  # where to go on behind a jump"
                yield 2, f"self.{self._gotos[kind.name]} = {array(around_of(kind), first)}{told}"
        most = self._variables["_nr_pr"]
        yield 2, f"self.nr_pr = Int(0, {most.type.hi}, {most.initial[0]})  # how many processes there are"
        yield 0, ""

    def _begun(self, kind: Kind) -> Lines:
        if kind.name in self._running:
            values = [int(place != 0) for place in self._variables[f"{kind.name}.at"].initial]
            name = f"self.{self._running[kind.name]}"
            yield 2, f"{name} = {array(around_of(kind), str(bool(values[0])))}"
            yield from ((2, f"{name}[{k}] = {bool(value)}") for k, value in enumerate(values) if value != values[0])

    # --- processes ----------------------------------------------------------------------------------------------------

    def _expressions(self, kind: Kind | None) -> Expressions:
        found = Expressions(self._names, self._channels, self._values, kind, self._helpers)
        found.places, found.claims = self._places, self._scope.claims
        found.timeout = f"self.{self._timeout}()" if self._timeout else ""
        return found

    def _process(self, kind: Kind) -> Lines:
        if kind.priority >= 0:
            remedy = "write provided (…), which says when the process may take a step"
            raise Unsaid("priorities of processes", kind.process.span, remedy)
        write = self._expressions(kind)
        goto = f"self.{self._gotos[kind.name]}{write.own()}"
        statements = Statements(write, self._made_by(), self._awaiting)
        flow = Flow(self._places[kind.name], statements, goto, self._comments, self._names.new)
        self._flows[kind.name] = flow
        running = f"self.{self._running[kind.name]}{write.own()}" if kind.name in self._running else None
        begin = [] if running is None else [f"when({running})"]
        ending = list(self._ending(kind, write, running))
        body = flow.lines(begin, ending, 2 if running is None or not flow.ends else 3)
        yield from ((1, comment) for comment in self._comments.above(kind.process.span))
        if kind.single:
            yield 1, "@process"
            yield 1, f"def {self._processes[kind.name]}(self):"
        else:
            yield 1, f"@process(pid={range_of(kind.pids) if kind.pids[0] else len(kind.pids)})"
            yield 1, f"def {self._processes[kind.name]}(self, pid):"
        if running is not None and flow.ends:
            yield 2, "while True:  # it may be run again"
        yield from with_bodies([*with_plain_loops(list(without_last_continue(body))), (1, "")])
        for name, lines in flow.helpers.items():
            yield 1, f"def {name}(self{'' if kind.single else ', pid'}):"
            yield from with_bodies([*lines, (1, "")])

    def _ending(self, kind: Kind, write: Expressions, running: str | None) -> Iterator[str]:
        last = str(kind.pids[0] + 1) if kind.single else "pid + 1"
        given = write.provided()
        if given is not None:
            yield f"when({given})"
        yield f"when(self.nr_pr == {last})  # a process ends after those that were begun later"
        yield "self.nr_pr -= 1"
        for d in kind.process.locals:
            yield from self._declaring.cleared(d, write)
        if running is not None:
            yield f"{running} = False"
            yield "yield"

    def _made_by(self) -> dict[str, tuple[str, tuple[Basic, ...]]]:
        """The method that makes a process of each proctype, and what its parameters hold."""
        kinds = {kind.name: kind for kind in self._lowered.kinds}
        return {
            name: (maker, tuple(p.type for p in kinds[name].process.parameters if isinstance(p.type, Basic)))
            for name, maker in self._makers.items()
        }

    def _maker(self, kind: Kind) -> Lines:
        if kind.name not in self._makers:
            return
        write, parameters = self._expressions(kind), kind.process.parameters
        names = [self._names.new(f"{p.name}_of_{kind.name}") for p in parameters]
        yield 1, f"def {self._makers[kind.name]}({', '.join(['self', *names])}):"
        yield 2, f"pid = {'self.nr_pr' if not kind.single else kind.pids[0]}"
        if self._lowered.bounded:
            said = "there is no room for another process: asset translate -D _processes=… gives more"
            yield 2, f'assert {kind.pids[0]} <= self.nr_pr <= {kind.pids[-1]}, "{said}"'
        yield 2, f"self.{self._running[kind.name]}{write.own()} = True"
        for d, name in zip(parameters, names, strict=True):
            yield 2, f"self.{self._names.of(d)}{write.own()} = {name}"
        for d in kind.process.locals[len(parameters) :]:
            yield from self._declaring.begun(d, write)
        yield 2, "self.nr_pr += 1"
        yield 2, "return pid"
        yield 0, ""

    def _timeouts(self) -> Lines:
        def statements(kind: Kind) -> Statements:
            write = self._expressions(kind)
            write.timeout = "False"
            return Statements(write, {}, self._awaiting)

        if self._timeout:
            places = list(self._places.values())
            yield from Timeouts(self._words, statements).lines(self._timeout, places, self._able)
            yield 0, ""

    # --- what is asked ------------------------------------------------------------------------------------------------

    def _valid_ends(self) -> Lines:
        yield 1, "@terminal"
        yield 1, "def valid_end_state(self):"
        tests = list(map(self._may_end, self._lowered.kinds))
        yield 2, f"return {tests[0]}" if len(tests) == 1 else "return ("
        if len(tests) > 1:
            for k, test in enumerate(tests):
                grouped = f"({test})" if " or " in test and not test.startswith("all(") else test
                yield 3, f"{'and ' if k else ''}{grouped}"
            yield 2, ")"

    def _may_end(self, kind: Kind) -> str:
        places = self._places[kind.name]
        return places.of_all("all", places.may_end("pid"))

    def _labelled(self) -> Lines:
        """Labels that mean progress or acceptance."""
        for asked, decorator, name, form in (
            (PROGRESS, "@must_progress", "progress", "{}"),
            (ACCEPT, "@temporal", "no_acceptance_cycle", "eventually(always(not ({})))"),
        ):
            tests = [test for places in self._places.values() if (test := places.any_at(asked)) is not None]
            if tests:
                yield from ((0, ""), (1, decorator), (1, f"def {self._names.new(name)}(self):"))
                yield 2, f"return {form.format(' or '.join(tests))}"

    def _formulas(self) -> Lines:
        write = self._expressions(None)
        for formula in self._module.formulas:
            parsed = parse_formula(formula, self._scope, lambda e, _: f.Atom(write.test(e).code))
            invariant = is_invariant(parsed)
            yield 0, ""
            yield 1, "@invariant" if invariant else "@temporal"
            yield 1, f"def {self._names.new(formula.name)}(self):"
            told = parsed.operand if invariant and isinstance(parsed, f.Always) else parsed
            yield 2, f"return {written(told, formula.span)}"
