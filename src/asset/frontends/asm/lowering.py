"""From a machine to a program: one family of commands, the main rule, with an index for each choice of a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.alike import exchanges
from asset.frontends.asm.calling import Limits
from asset.frontends.asm.declarations import signature_of
from asset.frontends.asm.firing import StateBefore, StateNow
from asset.frontends.asm.history import History, HistoryWriter, Past, begun
from asset.frontends.asm.initial import FIRST_STEP, InitialValues, functions_in
from asset.frontends.asm.inputs import Class, Drawn, DrawnInputs, Index, Inputs, are_many
from asset.frontends.asm.kinds import TRUTHS, ScalarSort
from asset.frontends.asm.problems import Problems
from asset.frontends.asm.properties import Properties
from asset.frontends.asm.remembered import Beginnings, beginning, locations, started, write_next
from asset.frontends.asm.rule_calls import RuleCall
from asset.frontends.asm.rules import Rules
from asset.frontends.asm.signature import FunctionInfo, Signature
from asset.frontends.asm.statics import StaticEvaluator
from asset.frontends.asm.storage import Stored
from asset.frontends.asm.terms import Terms
from asset.frontends.asm.tuples import first_is_undef, has_undef
from asset.frontends.asm.updates import Conflicts, conflicts, ranges_left
from asset.ir import nodes as n
from asset.ir.program import Family, Function, IndexLabel, Program, State, Style, Variable
from asset.ir.verify import verify
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be lowered: the machine as its parameters make it, and what is asked of it."""

    machine: t.Machine
    parameters: tuple[tuple[str, object], ...]
    sizes: dict[str, int]
    initial: str | None
    text_of: Callable[[Span], str]
    limits: Limits = field(default_factory=Limits)
    separate_inputs: bool = False
    """Whether each input of a step is an index of its own, however many combinations there are."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """The program, and what of its updates could not be told from the text."""

    program: Program
    conflicts: Conflicts
    updates: int
    ranges_left: int
    unstored: tuple[t.Function, ...] = ()
    """Outputs that are not finite, which nothing reads."""
    updating: Mapping[n.Stmt, tuple[RuleCall, ...]] = field(default_factory=dict)
    """The statements that update something, each with the calls of rules that it belongs to."""
    drawing: Mapping[n.Stmt, Drawn] = field(default_factory=dict)
    """The statements that note that an input was drawn, if all inputs are drawn from the number of a command."""


@dataclass(frozen=True, slots=True)
class _Assumptions:
    """What lowering finds out, and must know beforehand: it is repeated until it finds what it assumed."""

    indices: tuple[Index, ...] = ()
    maybe: frozenset[str] = frozenset()
    """The functions whose values, or parts of these, may be `undef`."""
    partly: frozenset[str] = frozenset()
    """Those that may have tuples whose first part is `undef`."""
    spread: frozenset[str] = frozenset()
    rivals: tuple[tuple[int, tuple[int, ...]], ...] = ()
    drawn: bool = False
    """Whether inputs are drawn from the number of a command."""
    classes: tuple[Class, ...] = ()
    """If they are, the values of each that the step does not tell apart."""


def lower(request: Request) -> Lowered:
    """The program. Raises ModelRejected with all that is wrong."""
    problems = Problems()
    names = signature_of(request.machine, problems, request.sizes)
    main = names.rules.get(request.machine.main or "")
    if main is None:
        where = request.machine.span
        problems.add(Diagnostic("there is no main rule", where, "write main rule r_Main = …, or transition main == …"))
    if main is None:
        raise ModelRejected(*problems.in_order())
    lowering = _Lowering(request, names, main, problems)
    found = lowering.run()
    if problems:
        raise ModelRejected(*problems.in_order())
    verify(found.program)
    return found


class _Lowering:
    def __init__(self, request: Request, names: Signature, main: t.RuleDefinition, problems: Problems) -> None:
        self._request = request
        self._names = names
        self._main = main
        self._problems = problems
        self._evaluator = StaticEvaluator(names)
        self._asked, self._history = self._without_past()
        self._initial = self._chosen_initial()
        self._values = InitialValues(names, self._initial)
        for agents in self._initial.agents if self._initial is not None else ():
            names.agents[agents.domain] = agents.rule

    def _without_past(self) -> tuple[tuple[t.Specification, ...], tuple[Past, ...]]:
        """The specifications, and what of the past they ask for."""
        history, asked = History(self._names, self._request.text_of), list[t.Specification]()
        for each in self._request.machine.specifications:
            with self._problems.gathered():
                asked.append(history.rewritten(each))
        self._names.functions.update({name: past.function for name, past in history.found.items()})
        self._names.history = frozenset(history.found)
        return tuple(asked), tuple(history.found.values())

    def _chosen_initial(self) -> t.Initial | None:
        initials, wanted = self._request.machine.initials, self._request.initial
        if wanted is not None:
            return next((each for each in initials if each.name == wanted), None)
        return next((each for each in initials if each.default), initials[0] if initials else None)

    def run(self) -> Lowered:
        maybe, partly = self._never_set()
        assumed = _Assumptions(maybe=frozenset(maybe), partly=frozenset(partly))
        for _ in range(100):
            variables, stored = self._variables(assumed)
            function, found, updates = self._step(assumed, stored, variables)
            if self._problems or found == assumed:
                break
            assumed = found
        functions = [function]
        properties = Properties(self._names, self._evaluator, stored, self._problems, functions, self._request.text_of)
        requirements, always = properties.requirements(self._asked), properties.always(self._asked)
        remembered = [(each, properties.about_state(each.last)) for each in self._history]
        if self._problems:
            raise ModelRejected(*self._problems.in_order())
        further = self._further(stored, variables)
        program = Program(
            self._request.machine.name,
            self._request.parameters,
            variables,
            tuple(functions),
            (self._family(assumed),),
            requirements,
            declared=tuple(each for place in stored.values() for each in place.declared()),
            further_initial=further,
            updates_together=True,
            exchanges=exchanges(self._names, stored, variables) if assumed.drawn else (),
        )
        if self._history:
            offsets = [sum(v.cells for v in variables[:k]) for k in range(len(variables))]
            cells = ((past, offsets[stored[past.function.name].first], asked) for past, asked in remembered)
            program = beginning(program, begun(program, list(cells)))
        program = started(program, always)
        unstored = tuple(self._names.unread.values())
        counts = (updates.conflicts, updates.updates, updates.ranges_left)
        return Lowered(program, *counts, unstored, updates.updating, updates.drawing)

    def _never_set(self) -> tuple[set[str], set[str]]:
        """The functions that have no initial value, at least for some arguments or in a part, and those that have a
        tuple whose first part has none."""
        with self._problems.gathered():
            stored = {each.name: Stored(each, 0, maybe=True) for each in self._stored_functions()}
            open_ = {name for name, place in stored.items() if place.function.left_open}
            maybe, partly = Beginnings(stored, self._values).with_values(has_undef, first_is_undef)
            return maybe | open_, partly
        return set(), set()

    def _stored_functions(self) -> list[FunctionInfo]:
        remembered = (operand for past in self._history for operand in past.operands)
        asked = functions_in((*(each.term for each in self._asked), *remembered), self._names)
        asked |= self._values.asks_for()
        dynamic = [each for each in self._names.functions.values() if each.is_dynamic]
        inputs = [each for each in dynamic if each.category == "monitored" and each.name not in asked]
        said = [each for each in inputs if self._values.defines(each.name)]
        kept = [each for each in dynamic if each not in inputs or (each in said and each.args)]
        if any(not each.args for each in said):
            kept.append(FunctionInfo(FIRST_STEP, "controlled", said[0].span, (), ScalarSort(TRUTHS, (0, 1))))
        return kept

    def _variables(self, assumed: _Assumptions) -> tuple[tuple[Variable, ...], dict[str, Stored]]:
        variables: list[Variable] = []
        stored: dict[str, Stored] = {}
        for function in self._stored_functions():
            place = Stored(function, len(variables), function.name in assumed.maybe, function.name in assumed.partly)
            stored[function.name] = place
            with self._problems.gathered():
                variables += place.variables(partial(self._values.of, function))
        return tuple(variables), stored

    def _step(
        self, assumed: _Assumptions, stored: dict[str, Stored], variables: tuple[Variable, ...]
    ) -> tuple[Function, _Assumptions, _Updates]:
        inputs = _inputs(assumed, self._request.limits.choices, self._main.span)
        writer = inputs.writer
        varying: set[int] = set()
        state = StateBefore(self._names, stored, self._values, inputs, writer, assumed.spread, varying)
        terms = Terms(self._names, self._evaluator, writer, state, varying=varying)
        rules = Rules(terms, state, self._problems, dict(assumed.rivals), self._request.limits)
        history = HistoryWriter(self._history, stored, self._reading_now(stored, writer))
        before = history.before()
        write_next(locations(stored, "shared"), inputs, writer)  # rules can overwrite what others do
        rules.step(self._main)
        write_next(locations(stored, "monitored"), inputs, writer)
        if FIRST_STEP in stored:
            writer.emit(n.SetState(self._main.span, stored[FIRST_STEP].first, (), c.const(self._main.span, 0)))
        history.after(before)
        inputs.end(self._main.span)
        self._leave_out(stored, writer)
        inputs.returned(self._main.span)
        pairs = conflicts(rules.sites)
        indices = inputs.settled()
        settled = indices == assumed.indices  # else it is not known yet what is a parameter
        found = _Assumptions(
            indices,
            assumed.maybe | rules.maybe,
            assumed.partly | rules.partly,
            assumed.spread | (state.found_spread if settled else frozenset()),
            tuple(sorted(pairs.rivals.items())),
            assumed.drawn or (are_many(indices) and not self._request.separate_inputs),
        )
        known = {**terms.folding.known, **state.known, **inputs.codes}
        left = 0 if self._problems else ranges_left(rules.sites, variables, known, writer.written_out)
        nr_parameters = len(inputs.parameters)
        function = Function(self._main.name, nr_parameters, tuple(writer.slots), writer.body(), self._main.span)
        if settled and isinstance(inputs, DrawnInputs):
            found = replace(found, classes=inputs.told_apart(function, variables))
        drawing = inputs.drawing if isinstance(inputs, DrawnInputs) else {}
        return function, found, _Updates(pairs, len(rules.sites), left, writer.updating, drawing)

    def _further(self, stored: dict[str, Stored], variables: tuple[Variable, ...]) -> tuple[State, ...]:
        with self._problems.gathered():
            return Beginnings(stored, self._values).further(variables)
        return ()

    def _family(self, assumed: _Assumptions) -> Family:
        name, span = self._main.name, self._main.span
        if assumed.drawn:
            inputs = DrawnInputs(
                c.Writer(()), assumed.indices, most=self._request.limits.choices, classes=assumed.classes
            )
            numbers = (range(inputs.commands),)
            label = IndexLabel("choice", ())
            return Family(name, 0, numbers, Style.GUARDED, 0, span, labels=(label,), skips=inputs.skips)
        alternatives = tuple(index.alternatives() for index in assumed.indices)
        ranges = tuple(tuple(code for code, _ in each) for each in alternatives)
        labels = tuple(IndexLabel(index.label, each) for index, each in zip(assumed.indices, alternatives, strict=True))
        return Family(name, 0, ranges, Style.GUARDED, 0, span, labels=labels)

    def _reading_now(self, stored: dict[str, Stored], writer: c.Writer) -> Terms:
        """Terms about the state as it is there."""
        return Terms(self._names, self._evaluator, writer, StateNow(self._names, stored))

    def _leave_out(self, stored: dict[str, Stored], writer: c.Writer) -> None:
        """There is no step to a state of which something is not true that always is."""
        terms = self._reading_now(stored, writer)
        for each in self._asked:
            if each.kind == "always":
                with self._problems.gathered():
                    writer.emit(n.When(each.span, terms.truth(each.term, {})))


@dataclass(frozen=True, slots=True)
class _Updates:
    conflicts: Conflicts
    updates: int
    ranges_left: int
    updating: Mapping[n.Stmt, tuple[RuleCall, ...]]
    drawing: Mapping[n.Stmt, Drawn]


def _inputs(assumed: _Assumptions, most: int, span: Span) -> Inputs:
    """The inputs of a step, and the function that is written for it."""
    if not assumed.drawn:
        return Inputs(c.Writer([index.label for index in assumed.indices]), assumed.indices)
    inputs = DrawnInputs(c.Writer(["number"]), assumed.indices, most=most, classes=assumed.classes)
    inputs.begin(span)
    return inputs
