"""From a model object to a program: each transition and property, and whatever they call, compiled once."""

from __future__ import annotations

import inspect
from types import FunctionType

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.python.body import Argument, Request, Role, Summary, Unit
from asset.frontends.python.problems import Problems, Rejected
from asset.frontends.python.source import Definition, Sources
from asset.frontends.python.statements import Statements
from asset.frontends.python.values import Itself, SlotRef
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Family, Function, Program, Style
from asset.ir.requirements import Predicate
from asset.model import FIRE_TRANSITION, SYMMETRY_REPRESENTATIVE, Model, declared_of, variables_of
from asset.model.declared_requirements import requirements_of
from asset.model.spans import definition_span, line_span
from asset.model.stubborn_rules import rules_of
from asset.model.transitions import DeclaredProperty, declared_transitions, properties_of
from asset.span import NOWHERE, Span


def compile_model(model: Model) -> Program:
    """The model's program; raises ModelRejected with all that is wrong."""
    unit = _ProgramUnit(model)
    families = unit.families()
    predicates = unit.predicates()
    representative = unit.representative()
    if unit.problems:
        raise ModelRejected(*unit.problems.in_order())
    return Program(
        type(model).__name__,
        tuple(model.parameters.items()),
        unit.variables,
        tuple(unit.functions),
        tuple(families),
        requirements_of(model, predicates),
        representative,
        declared_of(model),
    )


class _ProgramUnit(Unit):
    def __init__(self, model: Model) -> None:
        self.model = model
        self.variables = variables_of(model)
        self.sources = Sources()
        self.problems = Problems()
        self.messages: list[str] = []
        self.functions: list[Function] = []
        self._compiled: dict[Request, Summary] = {}
        self._active: list[FunctionType] = []
        self._position: int | None = None
        self._conversions: dict[tuple[str, Span], int] = {}
        self._requirements: dict[tuple[str, Span], int] = {}
        if not self.variables:
            self.problems.add(
                f"{type(model).__name__} declares no state", _class_span(type(model)), "assign to self in state()"
            )

    # --- transitions ----------------------------------------------------------------------------------------------

    def families(self) -> list[Family]:
        families: list[Family] = []
        first = 0
        rules = rules_of(type(self.model))
        for name, function, ranges, style, of_process in self._transitions():
            numbers = tuple(tuple(int(v) for v in values) for values in ranges)
            role = Role.TRANSITION if style is Style.GUARDED else Role.FIRE
            summary = self._root(function, role, numbers)
            rule = self._rule(rules[name], numbers) if name in rules else None
            head = self._head(function)
            families.append(Family(name, summary.number, numbers, style, first, head, rule, *of_process))
            first += families[-1].size
        if not families:
            self.problems.add(
                f"{type(self.model).__name__} has no transitions",
                _class_span(type(self.model)),
                "write a method with @transition",
            )
        return families

    def _transitions(
        self,
    ) -> list[tuple[str, FunctionType, tuple[tuple[int, ...], ...], Style, tuple[str | None, int]]]:
        count = self.model._nr_transitions
        if count is None:
            declared = declared_transitions(self.model)
            return [(t.name, t.function, t.ranges(self.model), Style.GUARDED, t.of_process) for t in declared]
        function = inspect.getattr_static(type(self.model), FIRE_TRANSITION)
        if not isinstance(function, FunctionType) or len(inspect.signature(function).parameters) != 2:
            self.problems.add(f"{FIRE_TRANSITION} must be a method with one argument, the transition's number", None)
            return []
        return [(FIRE_TRANSITION, function, (tuple(range(count)),), Style.FIRE, (None, 0))]

    def _rule(self, function: FunctionType, ranges: tuple[tuple[int, ...], ...]) -> int:
        summary = self._root(function, Role.RULE, ranges)
        self._reject_writes(function.__name__, summary, "a rule")
        self._reject_guards(function.__name__, summary, "a rule", "list the transitions with stb(...)")
        return summary.number

    def representative(self) -> int | None:
        """The function that changes the state to a symmetric one."""
        function = inspect.getattr_static(type(self.model), SYMMETRY_REPRESENTATIVE, None)
        if function is None:
            return None
        if not isinstance(function, FunctionType) or len(inspect.signature(function).parameters) != 1:
            span = self._head(function) if isinstance(function, FunctionType) else None
            self.problems.add(f"{SYMMETRY_REPRESENTATIVE} must be a method that takes no argument but self", span)
            return None
        summary = self._root(function, Role.REPRESENTATIVE)
        self._reject_guards(function.__name__, summary, "a symmetry", "change the state with if")
        return summary.number

    def _head(self, function: FunctionType) -> Span:
        try:
            return self.sources.definition(function).head
        except Rejected:
            return definition_span(function)

    def _root(self, function: FunctionType, role: Role, ranges: tuple[tuple[int, ...], ...] = ()) -> Summary:
        """Compiles a transition or a property, with an index for each of the ranges."""
        itself, *names = inspect.signature(function).parameters
        indices = [
            Argument(name, SlotRef(-1), 1, (min(values), max(values)) if values else None)
            for name, values in zip(names, ranges, strict=True)
        ]
        request = Request(function, role, (Argument(itself, Itself(), 0), *indices))
        try:
            return self.compiled(request, self._head(function))
        except Rejected as rejected:
            self.problems.record(rejected)
            return Summary(broken=True)

    # --- properties -----------------------------------------------------------------------------------------------

    def predicates(self) -> list[Predicate]:
        return [self._predicate(declared) for declared in properties_of(type(self.model))]

    def _predicate(self, declared: DeclaredProperty) -> Predicate:
        self.messages = []
        head = self._head(declared.function)
        if len(inspect.signature(declared.function).parameters) != 1:
            self.problems.add(f"{declared.name} must take no argument but self", head)
            return Predicate(declared.name, 0, (), head)
        summary = self._root(declared.function, Role.MESSAGES if declared.messages else Role.PROPERTY)
        self._reject_writes(declared.name, summary, "a property")
        self._reject_guards(declared.name, summary, "a property", "return whether it holds")
        if declared.messages:
            # A check without a message never finds anything, but its meaning is still that of texts.
            messages = tuple(self.messages) or (f"{declared.name} failed",)
            return Predicate(declared.name, summary.number, messages, head)
        return Predicate(declared.name, summary.number, (), head)

    def _reject_writes(self, name: str, summary: Summary, what: str) -> None:
        if summary.writes:
            message = f"{name} changes the state here, which {what} must not"
            self.problems.add(message, summary.writes, "use local variables")

    def _reject_guards(self, name: str, summary: Summary, what: str, remedy: str) -> None:
        if summary.guards:
            self.problems.add(f"{name} uses when() here, and {what} cannot be disabled", summary.guards, remedy)

    # --- functions ------------------------------------------------------------------------------------------------

    def compiled(self, request: Request, at: Span) -> Summary:
        try:
            known = self._compiled.get(request)
        except TypeError:
            message = f"{request.function.__name__} is given something that may change"
            raise Rejected(Diagnostic(message, at, "use tuples of integers")) from None
        # The numbers of messages belong to one property.
        if known is not None and request.role is not Role.MESSAGES:
            return known
        if request.function in self._active:
            message = f"{request.function.__name__} calls itself: recursion is not part of the language"
            raise Rejected(Diagnostic(message, at, "use a loop"))
        definition = self.sources.definition(request.function)
        self._active.append(request.function)
        try:
            summary = self._compile(definition, request)
        finally:
            self._active.pop()
        self._compiled[request] = summary
        return summary

    def _compile(self, definition: Definition, request: Request) -> Summary:
        body = Statements(self, definition, request)
        parameters = len(body.slots)
        statements = body.block(definition.node.body)
        if body.bound is not None:
            self._fell_off(body, definition)
        body.summary.number = len(self.functions)
        self.functions.append(
            Function(definition.function.__name__, parameters, tuple(body.slots), statements, definition.head)
        )
        return body.summary

    def _fell_off(self, body: Statements, definition: Definition) -> None:
        """The end of the function is reached without a return."""
        body.summary.gives_nothing = True
        if body.role in (Role.FIRE, Role.PROPERTY) and not body.summary.broken:
            name = definition.node.name
            self.problems.add(f"{name} must return True or False on every path", definition.head)

    def position(self) -> int:
        if self._position is None:
            self._position = len(self.functions)
            self.functions.append(_position_function())
        return self._position

    def conversion(self, name: str, numbers: tuple[int, ...], at: Span) -> int:
        key = (name, at)  # a function for each place, as a fault is at its place
        if key not in self._conversions:
            value = n.Local(at, 0)
            tests = tuple(n.Binary(at, n.BinaryOp.EQ, value, n.Const(at, number)) for number in numbers)
            fail = n.Fail(at, FaultKind.RAISE, ("ValueError: ", value, f" is not a valid {name}"))
            member = n.Case(at, n.Or(at, tests), (n.Return(at, value),))
            self._conversions[key] = len(self.functions)
            self.functions.append(Function(name, 1, ("number",), (n.If(at, (member,), (fail,)),), at))
        return self._conversions[key]

    def requirement(self, kind: FaultKind, message: str, at: Span) -> int:
        key = (message, at)  # a function for each place, as a fault is at its place
        if key not in self._requirements:
            there = n.Case(at, n.Local(at, 0), (n.Return(at, n.Const(at, 1)),))
            self._requirements[key] = len(self.functions)
            body = (n.If(at, (there,), (n.Fail(at, kind, (message,)),)),)
            self.functions.append(Function("requirement", 1, ("test",), body, at))
        return self._requirements[key]


def _position_function() -> Function:
    """`index`, or `index + length` where it is negative; -1 where it is beyond the end."""
    index, length, zero = n.Local(NOWHERE, 0), n.Local(NOWHERE, 1), n.Const(NOWHERE, 0)
    inside = n.Binary(NOWHERE, n.BinaryOp.LT, index, length)
    from_start = n.Conditional(NOWHERE, inside, index, n.Const(NOWHERE, -1))
    from_end = n.Binary(NOWHERE, n.BinaryOp.ADD, index, length)
    value = n.Conditional(NOWHERE, n.Binary(NOWHERE, n.BinaryOp.LT, index, zero), from_end, from_start)
    return Function("position", 2, ("index", "length"), (n.Return(NOWHERE, value),), NOWHERE)


def _class_span(cls: type) -> Span | None:
    """The line of the class, where it can be found."""
    try:
        _, line = inspect.getsourcelines(cls)
        return line_span(inspect.getsourcefile(cls) or "", line)
    except (OSError, TypeError):
        return None
