"""Model: the base class of what modellers write, and a plain object.

Reading a state variable gives a bool, an int or an IntEnum member; assigning checks
its range; calling a transition fires it in CPython.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from math import prod
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from asset.errors import ModelRejected
from asset.ir.program import DeclaredVariable, State, Variable
from asset.ir.shapes import HeapShape
from asset.model.declaring import Declaring, StateVariable
from asset.model.decorations import marks_of, reject_lost
from asset.model.heap_numbering import HeapNumbering, numbering_of
from asset.model.hooks import reject_hooks
from asset.model.indices import Indexed
from asset.model.initial_states import (
    MOST_STATES,
    InitialSearch,
    Script,
    following,
    predicates_of,
    too_many,
)
from asset.model.parameters import bind
from asset.model.processes import SplitProcess, declare_processes, processes_of
from asset.model.spans import class_span, definition_span, user_span
from asset.model.state import rejected
from asset.model.stubborn_rules import NEXT_STUBBORN, rules_of
from asset.model.synchronous import Synchronous
from asset.model.texts import mentioning
from asset.model.transitions import (
    ASSET_STYLE,
    FIRE_TRANSITION,
    Fired,
    Numbered,
    Transition,
    members_in_order,
    numbered,
    transitions_of,
)
from asset.model.value_cells import Leaves, Place, StateCells, planned
from asset.model.views import assign, text, value_of

SYMMETRY_REPRESENTATIVE = "symmetry_representative"


class Model:
    """A concurrent system: subclass it, declare the state in `state()`, and write transitions and properties."""

    _cells: list[int]
    _variables: Mapping[str, StateVariable]
    _plan: Leaves
    _heaps: HeapNumbering | None
    _declaring: Declaring | None
    _initials: tuple[State, ...]
    _nr_transitions: int | None
    _ranges: dict[Indexed, tuple[tuple[int, ...], ...]]
    _processes: dict[str, SplitProcess]
    _synchronous: Mapping[str, Synchronous]
    _choosing: dict[Transition, Transition]
    _numbered: dict[str, Numbered]
    _terminates: ClassVar[bool] = False
    _idle_steps: ClassVar[bool] = False
    parameters: Mapping[str, Any]
    """The values of the parameters, by name."""

    _own_names: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _reject_misuse(cls)

    def __new__(cls, *_: Any, **__: Any) -> Self:
        _reject_misuse(cls)  # again, as a decorator of the class may have changed it, even its __init__
        return super().__new__(cls)

    def __init__(self, **parameters: Any) -> None:
        values = bind(type(self), parameters)
        _reject_mixed_styles(type(self))
        rules_of(type(self))
        self.__dict__.update(values)
        self.__dict__.update(parameters=MappingProxyType(values), _ranges={}, _numbered={}, _choosing={})
        script = Script()
        declaring = self._declared(script)
        others = list(_other_runs(self, declaring, script))
        self.__dict__["_declaring"] = declaring
        self.__dict__["_synchronous"] = declaring.synchronous
        self.__dict__["_processes"] = declare_processes(self, declaring)
        variables, cells = declaring.finish()
        plan = self.__dict__["_plan"] = planned(tuple(leaf for v in variables.values() for leaf in v.leaves()))
        heaps = [(v.leaf, v.shape) for v in variables.values() if isinstance(v.shape, HeapShape)]
        self.__dict__["_heaps"] = numbering_of(plan, heaps)
        rest = tuple(cells[len(others[0]) :]) if others else ()
        initials = dict.fromkeys(map(self._normal, (cells, *((*other, *rest) for other in others))))
        self._adopt(variables, list(next(iter(initials))), tuple(initials))
        reject_patched(self)
        _search_initial(self, script)

    def _adopt(self, variables: Mapping[str, StateVariable], cells: list[int], initials: tuple[State, ...]) -> None:
        if self._heaps is not None:
            cells = StateCells(cells)
            heaps = (v for v in variables.values() if isinstance(v.shape, HeapShape))
            cells.heaps.update((v.leaf, Place(self._plan, cells, v.shape, v.leaf, v.name)) for v in heaps)
        self.__dict__.update(_declaring=None, _variables=variables, _cells=cells, _initials=initials)

    def _normal(self, cells: Sequence[int]) -> State:
        """The state that stands for all that differ from it only in where objects of heaps are."""
        return tuple(cells if self._heaps is None else self._heaps.renumbered(cells))

    def _settle(self) -> None:
        """A transition has fired: what cannot be reached is gone, and objects are where they belong."""
        if self._heaps is not None:
            self._restore(self._normal(self._cells))

    def _declared(self, script: Script) -> Declaring:
        """Runs `state()` with these choices."""
        declaring = self.__dict__["_declaring"] = Declaring()
        with following(script), mentioning(type(self), Model, self.parameters):
            self.state()
            count = getattr(self, "nr_transitions", None)
            self.__dict__["_nr_transitions"] = None if count is None else _checked_count(count())
        return declaring

    def state(self) -> None:
        """Declares and initialises the state variables; run once, when the model is made."""

    if not TYPE_CHECKING:  # a type checker would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            declaring = self.__dict__.get("_declaring")
            if declaring is not None and name in declaring.shapes:
                return declaring.read(name)
            declared = self.__dict__.get("_variables", {}).get(name)
            if declared is None and name in self.__dict__.get("_synchronous", {}):
                return self._synchronous[name]
            if declared is None:
                raise AttributeError(_unknown(self, name), name=name, obj=self)
            return value_of(self._place(declared))

        def __setattr__(self, name: str, value: object) -> None:
            if self._declaring is not None:
                self._declare(name, value)
                return
            declared = self._variables.get(name)
            if declared is None:
                raise AttributeError(_unknown(self, name), name=name, obj=self)
            assign(self._place(declared), value)

    def _place(self, declared: StateVariable) -> Place:
        return Place(self._plan, self._cells, declared.shape, declared.leaf, declared.name)

    def _declare(self, name: str, value: object) -> None:
        assert self._declaring is not None
        if name in self._declaring.shapes:
            self._declaring.assign(name, value)
            return
        if name in self._declaring.synchronous:
            raise rejected(f"self.{name} is declared twice", "declare each channel once")
        if name.startswith("_"):
            raise rejected(
                f"self.{name} would be hidden state: a name that begins with _ is not a state variable",
                "use a local variable, or a name without _",
            )
        if name in self.parameters:
            raise rejected(f"self.{name} is a parameter, and cannot be assigned", f"give it as -p {name}=...")
        if hasattr(type(self), name):
            raise rejected(f"self.{name} is already a method or a constant of the class", "choose another name")
        self._declaring.declare(name, value)

    def _snapshot(self) -> State:
        return tuple(self._cells)

    def _restore(self, cells: State) -> None:
        self._cells[:] = cells
        if isinstance(self._cells, StateCells):
            self._cells.references.clear()

    def transitions(self) -> list[Fired]:
        """Every transition with its indices, by number."""
        if self._nr_transitions is not None:
            return [Fired(FIRE_TRANSITION, (t,)) for t in range(self._nr_transitions)]
        return [Fired(name, index) for name, family in numbered(self).items() for index in _product(family.ranges)]

    def initial_states(self) -> list[Self]:
        """A new object in each state that runs begin in; the model itself begins in the first."""
        return [in_state(self, cells) for cells in self._initials]

    def enabled_transitions(self) -> list[Fired]:
        """The transitions that would fire in this state."""
        return [fired for fired in self.transitions() if fire(copy(self), fired)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return (type(self), dict(self.parameters), self._cells) == (type(other), dict(other.parameters), other._cells)

    def __hash__(self) -> int:
        return hash((type(self), self._snapshot()))

    def __copy__(self) -> Model:
        return in_state(self, self._snapshot())

    def __deepcopy__(self, memo: object) -> Model:
        return in_state(self, self._snapshot())

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle, as of a verdict that another process found, has what tells the state."""
        return _made_anew, (type(self), dict(self.parameters), self._snapshot())

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={text(value)}" for name, value in self.parameters.items())
        state = ", ".join(f"{name}={text(getattr(self, name))}" for name in self._variables)
        return f"<{type(self).__name__}({given}) {state}>"

    def __str__(self) -> str:
        return shown(self) or repr(self)


M = TypeVar("M", bound=Model)

Model._own_names = frozenset(vars(Model)) | {"parameters"}


_OF_INSTANCES = frozenset(inspect.get_annotations(Model)) - {"_terminates", "_idle_steps", "_own_names"}


def reject_patched(model: Model) -> None:
    """Raises ModelRejected if the object or its class was changed behind the back of the language."""
    _reject_misuse(type(model))
    own = vars(model)
    for name in own:
        given = name in model.parameters and own[name] is model.parameters[name]
        if name not in _OF_INSTANCES and not given:
            what = f"{name} was put into the object itself, where it hides what the class says"
            remedy = "declare it in state(), or make it a constant of the class"
            raise ModelRejected.of(what, class_span(type(model)), remedy)
    for name in model._variables:
        if hasattr(type(model), name):
            what = f"the class got an attribute {name}, which hides the state variable of that name"
            raise ModelRejected.of(what, class_span(type(model)), "choose another name")
    for process in processes_of(type(model)):
        made = model._processes.get(process.name)
        if made is None or made.split.function is not process.function:
            what = f"the process {process.name} was changed after this {type(model).__name__} was made"
            raise ModelRejected.of(what, definition_span(process.function), "make the model anew")


def cells_of(model: Model) -> State:
    """The state as numbers: one for each cell, in the order of declaration."""
    return model._snapshot()


def in_state(model: M, cells: State) -> M:
    """A new object of the same class and parameters in the given state."""
    if len(cells) != len(model._cells):
        raise ValueError(f"{type(model).__name__} has {len(model._cells)} cells, not {len(cells)}")
    twin = object.__new__(type(model))
    twin.__dict__.update(model.__dict__)
    twin._adopt(model._variables, list(cells), model._initials)
    return twin


def _made_anew(cls: type[M], parameters: Mapping[str, Any], cells: State) -> M:
    return in_state(cls(**parameters), cells)


def shown(model: Model) -> str | None:
    """The state as the modeller wants it shown, by `__str__` or `print_state`; None if they are not defined."""
    if type(model).__str__ is not Model.__str__:
        return str(model)
    shower = getattr(type(model), "print_state", None)  # of the class: a model tells at length what it has not
    return None if shower is None else str(shower(model))


def fire(model: Model, fired: Fired) -> bool:
    """Fires one of `model.transitions()`: whether it was enabled. If it was not, nothing is changed."""
    if model._nr_transitions is not None:
        return bool(getattr(model, fired.name)(*fired.indices))
    return numbered(model)[fired.name].transition.fire(model, *fired.indices)


def variables_of(model: Model) -> tuple[Variable, ...]:
    """The leaves of the state variables with their initial values, in the order of declaration."""
    declarations = [declared for declared in model._variables.values() for _ in declared.leaves()]
    placed = zip(model._plan.leaves, model._plan.offsets, declarations, strict=True)
    return tuple(
        Variable(
            leaf.name,
            leaf.scalar.type,
            leaf.dims,
            model._initials[0][at : at + prod(leaf.dims)],
            declared.span,
            declared.owner,
        )
        for leaf, at, declared in placed
    )


def further_initial_states(model: Model) -> tuple[State, ...]:
    """Where runs may begin as well, besides the initial values of the variables."""
    return model._initials[1:]


def declared_of(model: Model) -> tuple[DeclaredVariable, ...]:
    """The state variables as they were declared."""
    return tuple(DeclaredVariable(v.name, v.shape, v.leaf) for v in model._variables.values())


def _other_runs(model: Model, first: Declaring, script: Script) -> Iterator[State]:
    """The cells that `state()` gives with every other combination of choices."""
    following: Script | None = script
    runs = 1
    while following is not None and (following := following.following()) is not None:
        if runs == MOST_STATES:
            raise too_many("choose among fewer values")
        runs += 1
        declaring = model._declared(following)
        if declaring.shapes != first.shapes:
            names = first.shapes.keys() | declaring.shapes.keys()
            name = min(name for name in names if first.shapes.get(name) != declaring.shapes.get(name))
            raise rejected(f"the declaration of self.{name} depends on a choice", "choose values, not what is declared")
        yield tuple(cell for place in declaring.places.values() for cell in place.snapshot())


def _search_initial(model: Model, script: Script) -> None:
    """The states that `@initial` asks for are the initial ones."""
    predicates = predicates_of(type(model))
    if not predicates:
        return
    if script.sizes:
        raise ModelRejected.of(
            "state() chooses, and @initial searches for the initial states",
            definition_span(predicates[0]),
            "say it in one of the two ways",
        )
    initials = InitialSearch(model, predicates).found()
    model._adopt(model._variables, list(initials[0]), initials)


def _product(ranges: tuple[tuple[int, ...], ...]) -> Iterable[tuple[int, ...]]:
    """Row by row, the last index fastest."""
    if not ranges:
        return iter([()])
    return ((first, *rest) for first in ranges[0] for rest in _product(ranges[1:]))


def _unknown(model: Model, name: str) -> str:
    declaring = model.__dict__.get("_declaring")
    names = model.__dict__.get("_variables", {}) if declaring is None else declaring.shapes
    declared, parameters = ", ".join(names) or "none", ", ".join(model.parameters) or "none"
    cls = type(model).__name__
    return f"{cls} has nothing called '{name}'; state variables: {declared}; parameters: {parameters}"


def _checked_count(count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise rejected(f"nr_transitions returned {count!r}, not the number of transitions")
    return int(count)


_MODELLERS_OWN = frozenset(("state", "_terminates", "_idle_steps"))
_BY_NAME = (FIRE_TRANSITION, "nr_transitions", NEXT_STUBBORN, SYMMETRY_REPRESENTATIVE, *ASSET_STYLE)


def _reject_misuse(cls: type[Model]) -> None:
    """Names and decorators of the class that would be ignored, or that Model itself needs."""
    reject_hooks(cls, Model, Model._own_names, _MODELLERS_OWN)
    reject_lost(cls)
    for name, member in members_in_order(cls).items():
        if name in _BY_NAME and member is not None and (not isinstance(member, FunctionType) or marks_of(member)):
            span = definition_span(member) if isinstance(member, FunctionType) else user_span()
            message = f"{cls.__name__}.{name} has a meaning by its name, and must be a method without a decorator"
            raise ModelRejected.of(message, span, "leave out the decorator, or choose another name")
        if isinstance(member, Indexed) and member.name != name:
            message = f"{name} and {member.name} are the same {member.decorator}"
            raise ModelRejected.of(message, definition_span(member.function), "write a method for each of them")


def _reject_mixed_styles(cls: type[Model]) -> None:
    decorated = (*transitions_of(cls), *processes_of(cls))
    numbered = {name: m for name, m in members_in_order(cls).items() if name in (FIRE_TRANSITION, "nr_transitions")}
    if decorated and numbered:
        raise ModelRejected.of(
            f"{cls.__name__} has both {decorated[0].decorator} ({decorated[0].name}) and {next(iter(numbered))}",
            definition_span(decorated[0].function),
            "use one style for all transitions",
        )
    if len(numbered) == 1:
        missing = FIRE_TRANSITION if FIRE_TRANSITION not in numbered else "nr_transitions"
        function = next(iter(numbered.values()))
        span = definition_span(function) if isinstance(function, FunctionType) else None
        raise ModelRejected.of(f"{cls.__name__} has {next(iter(numbered))} but not {missing}", span)
