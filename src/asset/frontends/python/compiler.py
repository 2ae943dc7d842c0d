"""From a model object to a program: each transition and property, and whatever they call, compiled once."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.python.body import Bindings, Body
from asset.frontends.python.constants import reject_changed_types
from asset.frontends.python.draft import ProgramDraft
from asset.frontends.python.heap_numbering import HeapLeaves, Numbering
from asset.frontends.python.inlining import MARK, inlinable, may_give_parts
from asset.frontends.python.local_collections import MOST_PASSES, LocalCollections
from asset.frontends.python.nesting import require_shallow
from asset.frontends.python.problems import Rejected
from asset.frontends.python.requests import Argument, FunctionRole, FunctionSummary, Request, specialised
from asset.frontends.python.statements.statement_compiler import StatementCompiler
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    RecordOf,
    SetOf,
    SlotRef,
    Value,
    tuple_items,
)
from asset.ir.program import Family, Function, Program, Style
from asset.ir.requirements import Predicate, StepPredicate
from asset.ir.shapes import HeapShape
from asset.model import FIRE_TRANSITION, SYMMETRY_REPRESENTATIVE, Model, declared_of, further_initial_states
from asset.model.declared_formulas import AskedFormula
from asset.model.declared_requirements import requirements_of
from asset.model.decorations import parameters_of_function, takes_only_names
from asset.model.fixed_ranges import reject_fixed_ranges
from asset.model.formula_reading import StateAtom, StepAtom
from asset.model.indices import are_numbers, codes_of, labels_of
from asset.model.spans import class_span, definition_span
from asset.model.stubborn_rules import rules_of
from asset.model.transitions import DeclaredProperty, declared_transitions, properties_of
from asset.span import Span

TRIAL = "trial"
"""The place of a call that is only looked at."""


def compile_model(model: Model, asked: Sequence[AskedFormula] = ()) -> Program:
    """The model's program, of which formulas are asked as well; raises ModelRejected with all that is wrong."""
    reject_changed_types(model)
    reject_fixed_ranges(model)
    compiler = _ProgramCompiler(model)
    families = compiler.families()
    requirements = requirements_of(model, compiler.predicates(), compiler.observed, asked)
    representative = compiler.representative()
    compiler.draft.find_misused_symbols()
    if compiler.draft.problems:
        raise ModelRejected(*compiler.draft.problems.in_order())
    _number_objects(compiler.draft, families, representative)
    return Program(
        type(model).__name__,
        tuple(model.parameters.items()),
        compiler.draft.variables,
        compiler.draft.functions.all(),
        tuple(families),
        requirements,
        representative,
        declared_of(model),
        further_initial_states(model),
        idle_steps=type(model)._idle_steps,
        blanks=True,
    )


def _number_objects(draft: ProgramDraft, families: Sequence[Family], representative: int | None) -> None:
    """The objects of heaps are numbered after each firing that may change what refers to what."""
    heaps = [HeapLeaves(v.leaf, v.shape) for v in draft.model._variables.values() if isinstance(v.shape, HeapShape)]
    numbering = Numbering(draft.model._plan.leaves, heaps, draft.functions)
    for family in families if heaps else ():
        numbering.ends(family.function, family.style)
    if heaps and representative is not None:
        numbering.ends(representative)


class _ProgramCompiler:
    """Compiles the functions of a model, each once for the same kind of arguments."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.draft = ProgramDraft(model)
        self.problems = self.draft.problems
        self._compiled: dict[Request, FunctionSummary] = {}
        self._active: list[FunctionType] = []
        self._gives_parts: dict[Request, bool] = {}
        self._not_inlined: dict[FunctionType, tuple[Diagnostic, ...]] = {}
        """Why a function that returns something else than a number could not be inlined."""
        if not self.draft.variables:
            self.problems.add(
                f"{type(model).__name__} declares no state", class_span(type(model)), "assign to self in state()"
            )

    # --- transitions ----------------------------------------------------------------------------------------------

    def families(self) -> list[Family]:
        families: list[Family] = []
        first = 0
        rules = rules_of(type(self.model))
        for name, function, ranges, style, of_process in self._transitions():
            numbers = tuple(map(codes_of, ranges))
            role = FunctionRole.TRANSITION if style is Style.GUARDED else FunctionRole.FIRE
            summary = self._root(function, role, ranges)
            rule = self._rule(rules[name], ranges) if name in rules else None
            head = self._head(function)
            shown = labels_of(ranges)
            families.append(Family(name, summary.number, numbers, style, first, head, rule, *of_process, shown))
            first += families[-1].size
        if not families:
            self.problems.add(
                f"{type(self.model).__name__} has no transitions",
                class_span(type(self.model)),
                "write a method with @transition",
            )
        return families

    def _transitions(
        self,
    ) -> list[tuple[str, FunctionType, tuple[tuple[Any, ...], ...], Style, tuple[str | None, int]]]:
        count = self.model._nr_transitions
        if count is None:
            declared = declared_transitions(self.model)
            return [(t.name, t.function, t.ranges(self.model), Style.GUARDED, t.of_process) for t in declared]
        function = inspect.getattr_static(type(self.model), FIRE_TRANSITION)
        if not isinstance(function, FunctionType) or not _takes(function, 2):
            self.problems.add(f"{FIRE_TRANSITION} must be a method with one argument, the transition's number", None)
            return []
        return [(FIRE_TRANSITION, function, (tuple(range(count)),), Style.FIRE, (None, 0))]

    def _rule(self, function: FunctionType, ranges: tuple[tuple[Any, ...], ...]) -> int:
        summary = self._root(function, FunctionRole.RULE, ranges)
        self._reject_writes(function.__name__, summary, "a rule")
        self._reject_guards(function.__name__, summary, "a rule", "list the transitions with stb(...)")
        return summary.number

    def representative(self) -> int | None:
        """The function that changes the state to a symmetric one."""
        function = inspect.getattr_static(type(self.model), SYMMETRY_REPRESENTATIVE, None)
        if function is None:
            return None
        if not isinstance(function, FunctionType) or not _takes(function, 1):
            span = self._head(function) if isinstance(function, FunctionType) else None
            self.problems.add(f"{SYMMETRY_REPRESENTATIVE} must be a method that takes no argument but self", span)
            return None
        summary = self._root(function, FunctionRole.REPRESENTATIVE)
        self._reject_guards(function.__name__, summary, "a symmetry", "change the state with if")
        return summary.number

    def _head(self, function: FunctionType) -> Span:
        try:
            return self.draft.definitions.of(function).head
        except Rejected:
            return definition_span(function)

    def _root(
        self, function: FunctionType, role: FunctionRole, ranges: tuple[tuple[Any, ...], ...] = ()
    ) -> FunctionSummary:
        """Compiles a transition or a property, with an index for each of the ranges."""
        names = parameters_of_function(function)[1:]
        indices = [_index(name, values) for name, values in zip(names, ranges or [()] * len(names), strict=True)]
        summary = self._asked(Request(function, role, tuple(indices)))
        for slot, values in enumerate(ranges):
            self.draft.uses.of_index(summary.number, slot, codes_of(values))
        return summary

    def _asked(self, request: Request) -> FunctionSummary:
        """Compiles a method for these arguments besides the model itself."""
        function = request.function
        itself = Argument(parameters_of_function(function)[0], Itself(), 0)
        try:
            return self.compiled(replace(request, arguments=(itself, *request.arguments)), self._head(function))
        except Rejected as rejected:
            self.problems.record(rejected)
        except RecursionError:  # by functions that are deep together
            self.problems.add(f"{function.__name__} is nested too deeply, with what it calls", self._head(function))
        return FunctionSummary(broken=True)

    # --- properties -----------------------------------------------------------------------------------------------

    def predicates(self) -> list[Predicate]:
        return [self._predicate(declared) for declared in properties_of(type(self.model))]

    def _predicate(self, declared: DeclaredProperty) -> Predicate:
        self.draft.messages = []
        head = self._head(declared.function)
        if not _takes(declared.function, 1):
            self.problems.add(f"{declared.name} must take no argument but self", head)
            return Predicate(declared.name, 0, (), head)
        summary = self._root(declared.function, FunctionRole.MESSAGES if declared.messages else FunctionRole.PROPERTY)
        self._reject_writes(declared.name, summary, "a property")
        self._reject_guards(declared.name, summary, "a property", "return whether it holds")
        if declared.messages:
            # A check without a message never finds anything, but its meaning is still that of texts.
            messages = tuple(self.draft.messages) or (f"{declared.name} failed",)
            return Predicate(declared.name, summary.number, messages, head)
        return Predicate(declared.name, summary.number, (), head)

    def observed(self, atom: StateAtom | StepAtom) -> Predicate | StepPredicate:
        """The part of a formula that speaks of a state, or of a step."""
        if isinstance(atom, StateAtom):
            number = self._observing(atom, Request(atom.function, FunctionRole.PROPERTY)).number
            return Predicate(atom.text, number, (), atom.span)
        cells, given = [], []
        names = parameters_of_function(atom.function)[1:]
        for name, value in zip(names, atom.values, strict=True):
            numbers, argument = self._cells(atom, value)
            if argument is None:
                return StepPredicate(atom.text, -1, (), atom.span)
            cells += numbers
            given.append(replace(argument, name=name))
        number = self._observing(atom, Request(atom.function, FunctionRole.PROPERTY, tuple(given))).number
        return StepPredicate(atom.text, number, tuple(cells), atom.span)

    def _cells(self, atom: StepAtom, value: FunctionType) -> tuple[list[int], Argument | None]:
        """A function for each number that the value is made of, and what all of them are as an argument; None if it was
        rejected."""
        first = self._observing(atom, Request(value, FunctionRole.CELL))
        if first.given is None:
            return [], None
        rest = [self._observing(atom, Request(value, FunctionRole.CELL, cell=k)) for k in range(1, first.given.passed)]
        return [first.number, *(each.number for each in rest)], first.given

    def _observing(self, atom: StateAtom | StepAtom, request: Request) -> FunctionSummary:
        summary = self._asked(request)
        self._reject_writes(atom.text, summary, "a formula")
        self._reject_guards(atom.text, summary, "a formula", "say what holds")
        return summary

    def _reject_writes(self, name: str, summary: FunctionSummary, what: str) -> None:
        if summary.writes:
            message = f"{name} changes the state here, which {what} must not"
            self.problems.add(message, summary.writes, "use local variables")

    def _reject_guards(self, name: str, summary: FunctionSummary, what: str, remedy: str) -> None:
        if summary.guards:
            self.problems.add(f"{name} uses when() here, and {what} cannot be disabled", summary.guards, remedy)

    # --- functions ------------------------------------------------------------------------------------------------

    def compiled(self, request: Request, at: Span) -> FunctionSummary:
        try:
            known = self._compiled.get(request)
        except TypeError:
            message = f"{request.function.__name__} is given something that may change"
            raise Rejected(Diagnostic(message, at, "use tuples of integers")) from None
        # The numbers of messages belong to one property.
        if known is not None and request.role is not FunctionRole.MESSAGES:
            return known
        if request.function in self._active:
            message = f"{request.function.__name__} calls itself: recursion is not part of the language"
            raise Rejected(Diagnostic(message, at, "use a loop"))
        self._active.append(request.function)
        try:
            summary = self._compile(request)
        finally:
            self._active.pop()
        self._compiled[request] = summary
        return summary

    def _compile(self, request: Request) -> FunctionSummary:
        """Reads the function; again, if it turns out that its local collections need more room."""
        collections = LocalCollections()
        for _ in range(MOST_PASSES):
            before, known = self.draft.checkpoint(), dict(self._compiled)
            summary = self._read(request, collections)
            if collections.settled():
                if summary.broken and request.function in self._not_inlined:
                    self.problems.keep((*before[0], *self._not_inlined[request.function]))
                return summary
            if collections.too_large():
                break
            self.draft.restore(before)
            self._compiled = known
        definition = self.draft.definitions.of(request.function)
        message = f"it is not known how long a collection in {definition.node.name} can become"
        raise Rejected(Diagnostic(message, definition.head, "append in a for loop over range(...)"))

    def _read(self, request: Request, collections: LocalCollections) -> FunctionSummary:
        definition = self.draft.definitions.of(request.function)
        require_shallow(definition)
        body = Body(self.draft, definition, request, collections)
        parameters, statements = len(body.slots), StatementCompiler(body, self)
        code = body.collected(lambda: statements.whole(definition.node))
        if body.bound is not None:
            self._fell_off(body)
        name = definition.function.__name__
        function = Function(name, parameters, tuple(body.slots), code, definition.head)
        body.summary.number = self.draft.functions.add(function)
        return body.summary

    def _fell_off(self, body: Body) -> None:
        """The end of the function is reached without a return."""
        body.summary.gives_nothing = True
        if body.role in (FunctionRole.FIRE, FunctionRole.PROPERTY) and not body.summary.broken:
            name, head = body.definition.node.name, body.definition.head
            self.problems.add(f"{name} must return True or False on every path", head)

    def gives_parts(self, function: FunctionType, given: Bindings, caller: Body) -> bool:
        """Whether the function gives something else than a number: it is inlined, and that is forgotten."""
        definition = self.draft.definitions.of(function)
        if not may_give_parts(definition) or function in self._active:
            return False
        kind = Request(function, FunctionRole.HELPER, tuple(Argument(k, specialised(v), 0) for k, v in given.items()))
        try:
            known = self._gives_parts.get(kind)
        except TypeError:  # it is given something that may change
            return False
        if known is None:
            known = self._gives_parts[kind] = self._tried(function, given, caller)
        return known

    def _tried(self, function: FunctionType, given: Bindings, caller: Body) -> bool:
        """As a function is read: again, until it is known how much room its local collections need."""
        collections, value = LocalCollections(), None
        found: tuple[Diagnostic, ...] = ()
        for _ in range(MOST_PASSES):
            before, known = self.draft.checkpoint(), dict(self._compiled)
            try:
                value, _ = self.inlined(function, given, caller.apart(collections), TRIAL)
            except Rejected as rejected:
                value = None
                self.problems.record(rejected)
            found = tuple(d for d in self.problems.all() if d not in before[0])
            self.draft.restore(before)
            self._compiled = known
            if collections.settled():
                break
        if found:
            suffix = f"{MARK}{TRIAL}{caller.place}"
            self._not_inlined[function] = tuple(replace(d, message=d.message.replace(suffix, "")) for d in found)
        is_tuple = value is not None and tuple_items(value) is not None
        return is_tuple or isinstance(value, Compound | RecordOf | SetOf | ArrayRef)

    def inlined(
        self, function: FunctionType, given: Bindings, caller: Body, place: str
    ) -> tuple[Value | None, FunctionSummary]:
        """The value that the function returns, None if it never does; its statements are emitted in the caller's body.
        Its names are those of the call at that place."""
        definition = inlinable(self.draft.definitions.of(function), place + caller.place)
        require_shallow(definition)
        if function in self._active:
            message = f"{function.__name__} calls itself: recursion is not part of the language"
            raise Rejected(Diagnostic(message, definition.head, "use a loop"))
        body = Body(self.draft, definition, Request(function, FunctionRole.HELPER), caller.collections)
        body.slots, body.bounds, body.emitted = caller.slots, caller.bounds, caller.emitted
        body.place = place + caller.place
        body.names.update({f"{name}{MARK}{body.place}": value for name, value in given.items()})
        self._active.append(function)
        try:
            result = StatementCompiler(body, self).inlined(definition.node.body)
        finally:
            self._active.pop()
        caller.summary.includes(body.summary)
        return result, body.summary


def _index(name: str, values: tuple[Any, ...]) -> Argument:
    codes = codes_of(values)
    bounds = (min(codes), max(codes)) if codes else None
    return Argument(name, SlotRef(-1), 1, bounds, () if are_numbers(values) else values)


def _takes(function: FunctionType, count: int) -> bool:
    return len(parameters_of_function(function)) == count and takes_only_names(function)
