"""Lowering rules: all that a step of a machine does, as statements of one function of the IR.

Updates read the state before the step and write the one after it. Rules are written in place of their calls. Where
updates may conflict, the rule is written once more: every update must find its value in the new state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import prod

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.binding import Bound, Environment, bind
from asset.frontends.asm.calling import Calls, Limits
from asset.frontends.asm.firing import Record, StateBefore, selected
from asset.frontends.asm.folding import have_codes
from asset.frontends.asm.fresh import FreshElements
from asset.frontends.asm.in_place import Footprints, InPlace
from asset.frontends.asm.inputs import index_over
from asset.frontends.asm.kinds import Static
from asset.frontends.asm.problems import Poisoned, Problems, Rejected
from asset.frontends.asm.results import LocalFunction, Returned
from asset.frontends.asm.signature import STORED, FunctionInfo
from asset.frontends.asm.statics import unknown
from asset.frontends.asm.terms import Terms
from asset.frontends.asm.trying import Noted, trying
from asset.frontends.asm.tuples import first_may_be_undef, may_have_undef
from asset.frontends.asm.updates import Path, Site, exclusive
from asset.frontends.asm.values import (
    Scalar,
    SetValue,
    TupleValue,
    Value,
    of_static,
    with_parts,
)
from asset.frontends.asm.writing import UpdateWriter
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span

MOST_WRITTEN_OUT = 64
MOST_LOCAL = 64
"""Locations of a local function."""
Bindings = dict[str, Bound]
Made = list[tuple[Record, int]]
"""Updates of a sequence, each with the number of its site."""


@dataclass
class Rules:
    """Writes rules. `rivals` are the sites that are compared with others in the second pass, `checking`."""

    terms: Terms
    state: StateBefore
    problems: Problems
    rivals: dict[int, tuple[int, ...]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    sites: list[Site] = field(default_factory=list)
    maybe: set[str] = field(default_factory=set)
    """The functions that may become `undef`, or parts of their values."""
    partly: set[str] = field(default_factory=set)
    """Those that may become tuples whose first part is `undef`."""
    checking: bool = False
    number: int = 0
    """Of the next site."""
    branch: int = 0
    """Of the next branching or sequence."""
    _path: Path = ()
    _loops: frozenset[int] = frozenset()
    _certain: int = 0
    """How long the path was where the outermost loop began."""
    active: tuple[str, ...] = ()
    """The rules that are being called, the innermost last."""
    _records: list[Made] = field(default_factory=list)
    """Of each sequence that is open, the updates of the stage that is written."""
    _returned: list[Returned] = field(default_factory=list)
    """The results of the rules that are being called for one."""
    _written_out: int = 0
    """Rounds of loops that were written one by one."""
    _noted: list[Noted] = field(default_factory=list)
    """Of each rule that is tried, its updates, which are not made."""
    _local: list[Returned] = field(default_factory=list)
    """The local functions of the rules that are being called."""

    def __post_init__(self) -> None:
        self.updates = UpdateWriter(self.terms.writer, self.sites, self.rivals)
        self._fresh = FreshElements(self.terms.writer, self.state)
        self.calls = Calls(self)
        self.footprints = Footprints(self)
        self._in_place = InPlace(self)

    @property
    def writer(self) -> c.Writer:
        return self.terms.writer

    def step(self, main: t.RuleDefinition) -> None:
        """Writes all updates of a step, then what compares those that may conflict."""
        call = t.CallRule(main.span, main.name, ())
        self.rule(call, {})
        self._fresh.count_all()
        if self.rivals:
            self.checking = True
            self._fresh.begin_again()
            self.number = self.branch = self._written_out = 0
            self.state.inputs.in_use.clear()
            self.rule(call, {})

    def rule(self, rule: t.Rule, env: Environment) -> None:
        with self.problems.gathered():
            _LOWER[type(rule)](self, rule, env)

    # --- branches -------------------------------------------------------------------------------------------------

    def branching(self, span: Span, test: n.Expr, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """Writes two branches, each knowing that it excludes the other."""
        number = self.next_branch()
        known = c.known(test)
        if known is not None:
            (then if known else orelse)()
            return
        bodies, used, inputs = [], [], self.state.inputs
        before = set(inputs.in_use)
        for branch, write in enumerate((then, orelse)):
            inputs.in_use = set(before)
            with self._within(((number, branch),)), inputs.in_some_steps():
                bodies.append(self.writer.block(write))
            used.append(inputs.in_use)
        inputs.in_use = used[0] | used[1]
        self.writer.branch(span, test, *bodies)

    def next_branch(self) -> int:
        self.branch += 1
        return self.branch - 1

    @property
    def follows_on(self) -> bool:
        """Whether updates are kept beside the state, or made in several rounds at once."""
        return bool(self._records or self._loops or self._returned or self._local)

    @contextmanager
    def within_stage(self, way: tuple[int, int], certain: bool) -> Iterator[None]:
        """In a stage of a sequence; `certain` if every step that begins the sequence comes to it."""
        certain = certain and self.state.certain
        with self._within((way,)):
            self.state.certain = certain
            yield

    @contextmanager
    def _within(self, path: Path) -> Iterator[None]:
        outer = self._path, self.state.certain
        self._path, self.state.certain = (*self._path, *path), False
        try:
            yield
        finally:
            self._path, self.state.certain = outer

    def _if(self, rule: t.IfRule, env: Environment) -> None:
        test = self.terms.truth(rule.test, env)
        orelse = rule.orelse
        self.branching(
            rule.span,
            test,
            lambda: self.rule(rule.then, env),
            lambda: None if orelse is None else self.rule(orelse, env),
        )

    def _case(self, rule: t.CaseRule, env: Environment) -> None:
        self._arms(rule, self.held(self.terms.value(rule.subject, env), rule.subject.span), env, 0)

    def _arms(self, rule: t.CaseRule, subject: Value, env: Environment, at: int) -> None:
        if at == len(rule.arms):
            if rule.otherwise is not None:
                self.rule(rule.otherwise, env)
            return
        pattern, body = rule.arms[at]
        inner = dict(env)
        test = self.terms.matching(pattern, subject, inner)
        self.branching(
            pattern.span, test, lambda: self.rule(body, inner), lambda: self._arms(rule, subject, env, at + 1)
        )

    def held(self, value: Value, span: Span) -> Value:
        """The value, evaluated here and once."""
        match value:
            case Scalar(expr):
                return replace(value, expr=self.writer.assign(span, "value", expr))
            case TupleValue():
                return with_parts(value, lambda part: self.held(part, span))
        return value

    # --- blocks ---------------------------------------------------------------------------------------------------

    def _block(self, rule: t.Block, env: Environment) -> None:
        for each in rule.rules:
            others = [other for other in rule.rules if other is not each]
            with self._in_place.beside_those(others, env):
                self.rule(each, env)

    def _let(self, rule: t.LetRule, env: Environment) -> None:
        inner: Bindings = dict(env)
        for pattern, value in rule.bindings:
            bind(pattern, self.held(self.terms.value(value, inner), value.span), inner)
        self.rule(rule.body, inner)

    def _sequence(self, rule: t.SequenceRule, env: Environment) -> None:
        if self._in_place.fits(rule, env):
            self._in_place.sequence(rule, env)
            return
        self._in_sequence(rule.span, (partial(self._stage, each, env) for each in rule.rules))

    def _stage(self, rule: t.Rule, env: Environment, last: Made) -> None:
        self.rule(rule, env)

    def _in_sequence(self, span: Span, stages: Iterable[Callable[[Made], None]]) -> None:
        """Each stage sees the updates of those before it. What it updates again was never updated for the others.

        A stage is given what the one before it made."""
        before, number = (self.state.overlay, self.state.made), self.next_branch()
        made: Made = []

        def write() -> None:
            last: Made = []
            for place, stage in enumerate(stages):
                self._records.append([])
                with self.within_stage((number, place), certain=True):
                    stage(last)
                last = self._records.pop()
                made.extend(last)
                self.state.overlay = (*before[0], *(record for record, _ in made))
                self.state.made = self._fresh.kept()
                for each in own:
                    each.seen()

        own = (*self._returned[-1:], *self._local)
        visible = [each.visible for each in own]
        written = self.writer.block(write)
        for each, noted in zip(own, visible, strict=True):
            each.seen(noted)
        self._begin_again(span, [record.done for record, _ in made])
        for statement in written:
            self.writer.emit(statement)
        self.state.overlay, self.state.made = before
        if self._records:
            self._records[-1] += made
        elif self.checking:
            self._compare_sequence(made)

    def _begin_again(self, span: Span, flags: Sequence[n.Expr]) -> None:
        """In a loop, what the round before has noted is forgotten."""
        for flag in c.slots_in(*flags) if self._loops else ():
            self.writer.emit(n.SetLocal(span, flag, c.const(span, 0)))

    def _rounds(self, rule: t.RoundsRule, env: Environment) -> None:
        """A loop, or as many stages as rounds are allowed; that there is no further one is checked."""
        span, limit = rule.span, self.limits.rounds
        if self._in_place.fits(rule, env):
            self._in_place.rounds(rule, env)
            return

        def stage(number: int, last: Made) -> None:
            again = c.disjunction(span, (record.done for record, _ in last)) if number else c.const(span, 1)
            test = c.const(span, 1) if rule.test is None else self.terms.truth(rule.test, env)
            going = c.conjunction(span, (again, test))
            if number < limit:
                self._write_out(span)
                self.branching(span, going, lambda: self.rule(rule.body, env), lambda: None)
            elif not self.checking:
                text = f"the rule takes more than {limit} rounds in a step; -p rounds={2 * limit} allows more"
                self.writer.branch(span, going, (n.Fail(span, FaultKind.LIMIT, (text,)),))

        self._in_sequence(span, (partial(stage, number) for number in range(limit + 1)))

    def _write_out(self, span: Span) -> None:
        """One more round is written out: what comes after it reads all that it updates, so these cannot be many."""
        self._written_out += 1
        if self._written_out > MOST_WRITTEN_OUT:
            fewer = max(1, self.limits.rounds // 2)
            raise Rejected(
                f"the rounds of loops that must be written out are more than {MOST_WRITTEN_OUT}",
                span,
                "a loop need not be written out if it is in no forall, let or rule with a result, chooses and extends "
                f"nothing, and no rule beside it updates the same; else allow fewer rounds: -p rounds={fewer}",
            )

    def _return(self, rule: t.ReturnRule, env: Environment) -> None:
        """The rule is called, and the location gets its result, together with all that the rule updates."""
        called = self.terms.names.rules.get(rule.call.name)
        if called is not None and not called.returns:
            raise Rejected(f"{rule.call.name} has no result", rule.span, f"call it: {rule.call.name}[…]")
        self._give(rule.location, self._called(rule.call, env), env, rule.span)

    def _call(self, rule: t.CallRule, env: Environment) -> None:
        """A call of a rule; if it has a result, nobody wants it."""
        called = self.terms.names.rules.get(rule.name)
        if called is not None and called.returns:
            self._called(rule, env)
        else:
            self.calls.call(rule, env)

    def _called(self, call: t.CallRule, env: Environment) -> Value:
        """What the rule returns."""
        returned, outer = Returned(self.updates, call.span, self._loops), self.terms.result
        self._returned.append(returned)
        self.terms.result = returned.value_so_far
        self._noting(call.span, [returned], lambda: self.calls.call(call, env))
        self._returned.pop()
        self.terms.result = outer
        return returned.value()

    def _noting(self, span: Span, noted: list[Returned], write: Callable[[], None]) -> None:
        """Writes what updates these, which begin without a value."""
        written = self.writer.block(write)
        self._begin_again(span, [flag for each in noted for flag in each.flags])
        for statement in written:
            self.writer.emit(statement)

    def _locals(self, rule: t.LocalsRule, env: Environment) -> None:
        inner: Bindings = dict(env)
        made: list[Returned] = []
        for function in rule.functions:
            inner[function.name] = found = self._local_function(function)
            made += [found] if isinstance(found, Returned) else found.cells.values()
        self._local += made
        stages = (partial(self._stage, each, inner) for each in rule.rules)
        self._noting(rule.span, made, lambda: self._in_sequence(rule.span, stages))
        del self._local[-len(made) :]

    def _local_function(self, function: t.Function) -> Returned | LocalFunction:
        """A location, or one for each value of the arguments, which must be few."""
        sets: list[tuple[Static, ...]] = []
        for arg in function.args:
            universe = self.terms.set(t.Name(arg.span, arg.name), {}) if isinstance(arg, t.TypeName) else SetValue(())
            sets.append(universe.universe)
        if not 0 < prod(map(len, sets)) <= MOST_LOCAL:
            raise Rejected(
                f"the local function {function.name} has no locations, or more than {MOST_LOCAL}",
                function.span,
                "choose smaller domains, or declare it as controlled in the signature",
            )
        if not function.args:
            return Returned(self.updates, function.span, self._loops)
        keys = product(*sets)
        return LocalFunction(
            function.name, function.span, {key: Returned(self.updates, function.span, self._loops) for key in keys}
        )

    def _give_local(self, of: LocalFunction, location: t.Apply, value: Value, env: Environment, span: Span) -> None:
        """Each location that it may be gets the value if it is that one; there must be one."""
        value = self.held(value, span)
        args = tuple(self.held(self.terms.value(arg, env), arg.span) for arg in location.args)
        places = list(of.places(args, span))
        for cell, here in places:
            self.branching(
                span,
                here,
                partial(lambda cell: cell.note(value, self.state.certain, self._path, self._loops), cell),
                lambda: None,
            )
        some = c.disjunction(span, (here for _, here in places))
        if not self.checking and c.known(some) != 1:
            text = f"{of.name} is updated where it has no location: an argument is not in its domain"
            self.writer.branch(span, c.negation(span, some), (n.Fail(span, FaultKind.INDEX, (text,)),))

    def _compare_sequence(self, made: Made) -> None:
        """Updates of one rule of a sequence are compared with each other, as a later rule may hide what they do; the
        last ones of each location are compared with those of others."""
        for at, (record, site) in enumerate(made):
            for place, (other, rival) in enumerate(made[at + 1 :], at + 1):
                if rival in self.rivals.get(site, ()) and not exclusive(self.sites[site].path, self.sites[rival].path):
                    hiding = (*self._again(made, at, rival), *self._again(made, place, site))
                    self.updates.compare_records(record, site, other, hiding)
            if site in self.rivals:
                here, cell = self.sites[site], record.cell
                later = [each for each, other in made[at + 1 :] if exclusive(here.path, self.sites[other].path)]
                again = (each.hits(cell.variable, cell.indices, here.span) for each in later)
                last = c.negation(here.span, c.disjunction(here.span, again))
                self.updates.compare(site, cell, c.conjunction(here.span, (record.done, last)))

    def _again(self, made: Made, at: int, rival: int) -> Iterator[Record]:
        """What comes later in a sequence that the update is in and its rival is not: that may hide what it did."""
        path, outside = dict(self.sites[made[at][1]].path), dict(self.sites[rival].path)
        for each, site in made[at + 1 :]:
            parted = next((number for number, way in self.sites[site].path if path.get(number, way) != way), None)
            if parted is not None and parted not in outside:
                yield each

    def _forall(self, rule: t.ForallRule, env: Environment) -> None:
        with self._in_place.beside_those((rule.body,), env):
            if self._records or self._in_place.staged or self.footprints.chooses(rule):
                self._unrolled(rule, env)
            else:
                self._loop(rule, rule.binders, env)

    def _unrolled(self, rule: t.ForallRule, env: Environment) -> None:
        for inside, inner in self.terms.displays.unrolled(rule.binders, env):
            guard = c.const(rule.span, 1) if rule.guard is None else self.terms.truth(rule.guard, inner)
            test = c.conjunction(rule.span, (inside, guard))
            self.branching(rule.span, test, partial(self.rule, rule.body, inner), lambda: None)

    def _loop(self, rule: t.ForallRule, binders: tuple[t.Binder, ...], env: Environment) -> None:
        if not binders:
            test = c.const(rule.span, 1) if rule.guard is None else self.terms.truth(rule.guard, env)
            self.branching(rule.span, test, lambda: self.rule(rule.body, env), lambda: None)
            return
        first, span = binders[0], rule.span
        domain = self.terms.narrowed(first, rule.guard, env)
        if len(domain.universe) <= 1 or not have_codes(domain.universe):
            for each in domain.universe:
                self._round(rule, binders, domain, of_static(each, span), env)
            return
        folding = self.terms.folding
        slot, binds, value = folding.iterated(domain.universe, span)
        if not self._loops:
            self._certain = len(self._path)
        outer, self._loops = self._loops, self._loops | {slot, *(bind.slot for bind in binds)}
        certain, self.state.certain = self.state.certain, False
        with self.state.inputs.in_some_steps():
            body = self.writer.block(lambda: self._round(rule, binders, domain, value, env))
        self._loops, self.state.certain = outer, certain
        if body:
            start = c.const(span, folding.start(domain.universe))
            bound = tuple(n.SetLocal(span, bind.slot, bind.value) for bind in binds)
            stop = c.const(span, folding.stop(domain.universe))
            self.writer.emit(n.For(span, slot, start, stop, c.const(span, 1), (*bound, *body)))

    def _round(
        self, rule: t.ForallRule, binders: tuple[t.Binder, ...], domain: SetValue, value: Value, env: Environment
    ) -> None:
        inner: Bindings = dict(env)
        bind(binders[0].pattern, value, inner)
        inside = c.const(rule.span, 1) if domain.test is None else domain.test(value)
        self.branching(rule.span, inside, lambda: self._loop(rule, binders[1:], inner), lambda: None)

    # --- choices --------------------------------------------------------------------------------------------------

    def _choose(self, rule: t.ChooseRule, env: Environment) -> None:
        """If there is something to choose, it is chosen; a step that has nothing to choose from asks for nothing."""
        some = t.Quantified(rule.span, "exist", rule.binders, rule.guard or t.Truth(rule.span, True))
        otherwise = rule.otherwise
        self.branching(
            rule.span,
            self.terms.truth(some, env),
            lambda: self._chosen(rule, env),
            lambda: None if otherwise is None else self.rule(otherwise, env),
        )

    def _chosen(self, rule: t.ChooseRule, env: Environment) -> None:
        inner: Bindings = dict(env)
        span, tests = rule.span, list[n.Expr]()
        for binder in rule.binders:
            domain = self.terms.narrowed(binder, rule.guard, inner)
            if not domain.universe:
                return  # there is something, but not with what was chosen before
            index = index_over(_label(binder.pattern), domain.universe)
            chosen = self.state.inputs.fresh(index, span, self.state.certain)
            value = selected(domain.universe, chosen, span)
            bind(binder.pattern, value, inner)
            if domain.test is not None:
                tests.append(domain.test(value))
        if rule.guard is not None:
            tests.append(self.terms.truth(rule.guard, inner))
        fits = c.conjunction(span, tests)
        if c.known(fits) != 1:
            self.writer.emit(n.When(span, fits))
        self.rule(rule.body, inner)

    def _extend(self, rule: t.ExtendRule, env: Environment) -> None:
        """The names are bound to elements that do not exist yet: the next ones in the order of their codes."""
        growing = self.terms.names.growing.get(rule.domain)
        if growing is None:
            known = Poisoned if rule.domain in self.terms.names.faulty else Rejected
            raise known(f"{rule.domain} cannot be extended", rule.span, "extend an abstract domain")
        inner: Bindings = dict(env)
        for name in rule.names:
            inner[name] = self._fresh.element(growing, rule.span)
        self.rule(rule.body, inner)

    # --- updates --------------------------------------------------------------------------------------------------

    def _update(self, rule: t.Update, env: Environment) -> None:
        if rule.location.name in self.terms.names.unread:
            return
        self._give(rule.location, self.terms.value(rule.value, env), env, rule.span)

    def _give(self, location: t.Name | t.Apply, value: Value, env: Environment, span: Span) -> None:
        """A location gets the value: that of a function, the result, or what a parameter stands for."""
        local = env.get(location.name)
        if self._noted and (isinstance(local, LocalFunction | Returned) or location.name == "result"):
            problem = "a rule behind try cannot update what is local, or the result: it is written twice"
            raise Rejected(problem, span, "use a controlled function")
        if isinstance(local, LocalFunction) and isinstance(location, t.Apply):
            self._give_local(local, location, value, env, span)
            return
        if isinstance(local, Returned) and isinstance(location, t.Name):
            local.note(value, self.state.certain, self._path, self._loops)
            return
        place = self.calls.location(location, env)
        if place is not None:
            self._give(place[0], value, place[1], span)
        elif self._returned and location.name == "result":
            self._returned[-1].note(value, self.state.certain, self._path, self._loops)
        else:
            self._set_location(location, value, env, span)

    def _set_location(self, location: t.Name | t.Apply, value: Value, env: Environment, span: Span) -> None:
        function = self.target(location)
        given = location.args if isinstance(location, t.Apply) else ()
        args = tuple(self.terms.value(arg, env) for arg in given)
        stored = self.state.stored[function.name]
        if may_have_undef(value):
            self.maybe.add(function.name)
        if first_may_be_undef(value, span):
            self.partly.add(function.name)
        cells = stored.updates(args, value, span)
        if self._noted:
            certain_here = self.state.certain
            records = [self.updates.recorded(cell, certain_here, span) for cell in cells]
            self._noted[-1].extend((record, self._path) for record in records)
            self._records[-1].extend((record, self.number) for record in records)  # later stages see them
            return
        number, self.number = self.number, self.number + 1
        if not self.checking:
            name = self.active[-1] if self.active else "main"
            certain = self._certain if self._loops else len(self._path)
            self.sites.append(Site(function.name, name, span, self._path, certain, self._loops, tuple(cells)))
            at_once = () if self._in_place.staged else cells
            self.updates.write(stored, args, value, at_once, span)
        if self._records or self._in_place.staged:
            certain_here = self.state.certain
            kept = [(self.updates.recorded(cell, certain_here, span), number) for cell in cells]
            (self._in_place.staged or self._records)[-1].extend(kept)
        elif self.checking and number in self.rivals:
            for cell in cells:
                self.updates.compare(number, cell, c.const(span, 1))

    def noted(self, rule: t.Rule, env: Environment) -> Noted:
        """The updates of a rule, which are noted in locals and not made."""
        self._noted.append([])
        outer, self._records = self._records, [*self._records, []]
        self.rule(rule, env)
        self._records = outer
        return self._noted.pop()

    def target(self, location: t.Name | t.Apply) -> FunctionInfo:
        function = self.terms.names.functions.get(location.name)
        if function is None and location.name in self.terms.names.constants:
            what = f"{location.name} is an element, and no rule can update it"
            raise Rejected(what, location.span, "update a function")
        if function is None:
            raise unknown(self.terms.names, location.name, location.span)
        if function.category not in STORED:
            raise Rejected(
                f"{location.name} is {function.category}, and no rule can update it",
                location.span,
                "declare it as controlled",
            )
        return function


def _label(pattern: t.Term) -> str:
    match pattern:
        case t.Name(name=name):
            return name.removeprefix("$")
        case t.Tuple(items=items):
            return f"({', '.join(map(_label, items))})"
    return "_"


_LOWER: dict[type[t.Node], Callable[..., None]] = {
    t.Skip: lambda self, rule, env: None,
    t.Update: Rules._update,
    t.Block: Rules._block,
    t.SequenceRule: Rules._sequence,
    t.LocalsRule: Rules._locals,
    t.IfRule: Rules._if,
    t.CaseRule: Rules._case,
    t.ForallRule: Rules._forall,
    t.ChooseRule: Rules._choose,
    t.LetRule: Rules._let,
    t.ExtendRule: Rules._extend,
    t.RoundsRule: Rules._rounds,
    t.ReturnRule: Rules._return,
    t.CallRule: Rules._call,
    t.TryRule: trying,
    t.FireRule: lambda self, rule, env: self.calls.fire(rule, env),
}
