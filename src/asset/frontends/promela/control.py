"""Control flow, as SPIN builds it: which places a process can be at, and the steps from each of them.

Whether two places are the same decides how many states there are, so the construction follows that of SPIN closely: a
sequence of statements is a chain of *elements*; what takes no step (`goto`, the end of an `if`) is passed over, unless
passing over it would leave an atomic sequence unnoticed; the steps of a choice are those of its options; and the
escapes of `unless` come before the steps of each place that they guard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.span import Span

LONGEST_WAY = 500
"""Jumps that lead to each other without a step between them."""


class Shape(Enum):
    STEP = auto()
    GOTO = auto()
    JOIN = auto()
    BREAK = auto()
    CHOICE = auto()
    SEQUENCE = auto()
    D_STEP = auto()
    UNLESS = auto()
    END = auto()


@dataclass(slots=True, eq=False)
class Element:
    shape: Shape
    span: Span
    statement: s.Stmt | None = None
    next: Element | None = None
    subs: list[Chain] = field(default_factory=list)
    escapes: list[Chain] = field(default_factory=list)
    """Outermost first."""
    atomic: bool = False
    """The next step of the process is not interleaved with others."""
    last_atomic: bool = False
    labels: list[str] = field(default_factory=list)
    number: int = 0
    state: int = 0
    """The number that SPIN gives it, in trails: elements are counted as they are made, those inside first."""


@dataclass(slots=True, eq=False)
class Chain:
    elements: list[Element] = field(default_factory=list)
    extent: Element | None = None
    """The last element of the text: what comes behind it was added for the sake of control flow."""

    @property
    def first(self) -> Element:
        return self.elements[0]

    @property
    def last(self) -> Element:
        return self.elements[-1]

    def add(self, element: Element) -> None:
        if self.elements:
            self.elements[-1].next = element
        self.elements.append(element)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step from a place: a statement (None if it only goes on), or a whole d_step."""

    element: Element
    target: Element | None
    """None if the process ends."""
    atomic: bool
    escape: Element | None = None
    """The escape that it belongs to."""
    passed: Element | None = None
    """The first element of the option that it is the first step of: its labels count for the target."""

    @property
    def statement(self) -> s.Basic | None:
        found = self.element.statement
        return found if isinstance(found, s.Basic) else None


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """The control flow inside a d_step: it is left by a step whose target is not among its places."""

    start: Element
    steps: dict[Element, list[Step]]


@dataclass(slots=True, eq=False)
class Control:
    """The control flow of one process."""

    start: Element
    places: list[Element]
    """The places that it can be at, in the order in which they are found from the start."""
    steps: dict[Element, list[Step]]
    labels: dict[str, Element]
    ends: set[Element]
    """Where it is a valid end that nothing goes on."""
    progress: set[Element]
    accepting: set[Element]
    inside: dict[Element, Inside] = field(default_factory=dict)
    """Of each d_step."""
    size: int = 0
    """How many elements SPIN makes of it."""


def control_of(process: s.Proctype, referenced: Collection[tuple[str, str]] = ()) -> Control:
    """`referenced` are the labels, each after its proctype, that are named from outside."""
    return _Builder(process, referenced).build()


class _Builder:
    def __init__(self, process: s.Proctype, referenced: Collection[tuple[str, str]]) -> None:
        self._process = process
        self._referenced = referenced
        self._labels: dict[str, Element] = {}
        self._breaks: list[Element] = []
        self._chains: list[Chain] = []
        self._pending_labels: list[str] = []
        self._break_targets: dict[Element, Element] = {}
        self._in_d_step = False
        """One inside of another is nothing but braces."""
        self._made: list[Element | None] = []
        """The elements in the order in which SPIN makes them; None is one that it leaves out."""

    def build(self) -> Control:
        body = self._chain(self._process.body)
        body.add(self._counted(Element(Shape.END, self._process.span)))
        for chain in reversed(self._chains):  # what is around comes first
            self._link(chain)
        self._patch(body)
        for number, element in enumerate(self._made, 1):
            if element is not None:
                element.state = number
        start = self._hunted(body.first, body.first.atomic)
        control = Control(start, [], {}, self._labels, set(), set(), set(), size=len(self._made))
        self._explore(control)
        return control

    # --- elements -----------------------------------------------------------------------------------------------------

    def _counted(self, element: Element) -> Element:
        self._made.append(element)
        return element

    def _chain(self, body: tuple[s.Stmt, ...], dropped: Collection[int] = ()) -> Chain:
        """`dropped` are the statements that SPIN counts and leaves out."""
        chain = Chain()
        for k, statement in enumerate(body):
            if k in dropped:
                self._made.append(None)
            else:
                self._add(statement, chain)
        if not chain.elements:  # nothing but declarations
            chain.add(Element(Shape.JOIN, self._process.span))
        chain.extent = chain.last
        self._chains.append(chain)
        return chain

    def _add(self, statement: s.Stmt, chain: Chain) -> None:
        match statement:
            case s.Labelled(label=label, statement=inner):
                self._labelled(statement, label, inner, chain)
            case s.Choice():
                self._choice(statement, chain)
            case s.Sequence(kind=kind, body=body):
                outermost = kind == "d_step" and not self._in_d_step
                element = self._element(Shape.D_STEP if outermost else Shape.SEQUENCE, statement)
                self._in_d_step |= outermost
                element.subs = [self._chain(body)]
                self._in_d_step &= not outermost
                if kind == "atomic":
                    _make_atomic(element.subs[0])
                chain.add(self._counted(element))
            case s.Unless():
                self._unless(statement, chain)
            case s.Goto():
                chain.add(self._counted(self._element(Shape.GOTO, statement)))
            case s.Break():
                chain.add(self._counted(self._break(statement)))
            case _:
                chain.add(self._counted(self._element(Shape.STEP, statement)))

    def _element(self, shape: Shape, statement: s.Stmt) -> Element:
        element = Element(shape, statement.span, statement)
        for label in self._pending_labels:
            if label in self._labels:
                raise ModelRejected.of(f"the label {label} is there twice", statement.span, "use another name")
            self._labels[label] = element
            element.labels.append(label)
        self._pending_labels = []
        return element

    def _labelled(self, at: s.Labelled, label: str, inner: s.Stmt, chain: Chain) -> None:
        means_place = label.startswith(("end", "progress", "accept")) or (self._process.name, label) in self._referenced
        if isinstance(inner, s.Goto | s.Break) and means_place:
            skip = s.Condition(at.span, s.Number(at.span, 1))  # so that there is a place
            self._labelled(at, label, skip, chain)
            self._add(inner, chain)
            return
        if isinstance(inner, s.Unless):
            raise ModelRejected.of("a label cannot stand before unless", at.span, "put it into the braces")
        self._pending_labels.append(label)
        self._add(inner, chain)

    def _break(self, statement: s.Break) -> Element:
        if not self._breaks:
            raise ModelRejected.of("break stands outside of do", statement.span, "use goto")
        element = self._element(Shape.GOTO, statement)
        self._break_targets[element] = self._breaks[-1]
        return element

    def _choice(self, statement: s.Choice, chain: Chain) -> None:
        element, join = self._element(Shape.CHOICE, statement), Element(Shape.JOIN, statement.span)
        leaving = Element(Shape.BREAK, statement.span)
        if statement.repeats:
            self._breaks.append(leaving)
        _require_single_else(statement)
        subs = [self._chain(option, _pruned(option)) for option in statement.options]
        element.subs = _else_last(statement, subs)
        for made in (element, join, *((leaving,) if statement.repeats else ())):
            self._counted(made)
        if statement.repeats:
            self._breaks.pop()
            chain.add(join)
        for option in element.subs:
            option.add(join)
        chain.add(element)
        chain.add(leaving if statement.repeats else join)

    def _unless(self, statement: s.Unless, chain: Chain) -> None:
        element, join = self._element(Shape.UNLESS, statement), Element(Shape.JOIN, statement.span)
        before = len(self._made)
        main = self._chain(statement.main)
        late: list[Element | None] = []
        if not statement.blocks[0]:  # SPIN makes its element when it has read the escape, and those inside of it before
            late = [made for made in self._made[before:] if made in main.elements]
            self._made[before:] = [made for made in self._made[before:] if made not in main.elements]
        escape = self._chain(statement.escape)
        self._made += late
        for made in (element, join):
            self._counted(made)
        element.subs = [main, escape]
        main.add(join)
        escape.add(join)
        _attach(main, escape)
        chain.add(element)
        chain.add(join)

    def _link(self, chain: Chain) -> None:
        """What comes after a sequence is what comes after its last element."""
        for element in chain.elements:
            if element.shape in (Shape.SEQUENCE, Shape.D_STEP):
                element.subs[0].last.next = element.next

    def _patch(self, chain: Chain) -> None:
        """Jumps that leave an atomic sequence end it; those from its end into another one go on with that."""
        for element in chain.elements:
            if element.shape is Shape.SEQUENCE and element.subs:
                self._patch_atomic(element.subs[0])
            for sub in element.subs:
                if sub.elements and element not in sub.elements:
                    self._patch(_own(sub))

    def _patch_atomic(self, chain: Chain) -> None:
        for element in _own(chain).elements:
            if element.shape is Shape.GOTO:
                target = self._target(element)
                inside = target.atomic or target.last_atomic
                if (element.atomic or element.last_atomic) and not inside:
                    element.atomic, element.last_atomic = False, True
                elif element.last_atomic and inside:
                    element.atomic, element.last_atomic = True, False
            else:
                for sub in element.subs:
                    self._patch_atomic(sub)

    # --- passing over what takes no step ------------------------------------------------------------------------------

    def _target(self, element: Element) -> Element:
        if element in self._break_targets:
            return self._break_targets[element]
        assert isinstance(element.statement, s.Goto)
        label = element.statement.label
        if label not in self._labels:
            raise ModelRejected.of(f"there is no label {label} in {self._process.name}", element.span, "write one")
        return self._labels[label]

    def _hunted(self, element: Element, atomic: bool) -> Element:
        """Where a process is that comes to the element by a step that is `atomic` or not."""
        for _ in range(LONGEST_WAY):
            match element.shape:
                case Shape.GOTO:
                    onward = self._target(element)
                    if onward is element:
                        return element
                case Shape.JOIN | Shape.BREAK:
                    if element.next is None:
                        return element
                    onward = element.next
                case Shape.UNLESS:
                    onward = element.subs[0].first
                case _:
                    return element
            if atomic and not onward.atomic:
                return element
            element = onward
        raise ModelRejected.of("these jumps lead to each other for ever", element.span, "put a statement between them")

    def _started(self, element: Element) -> Element:
        """The element that a chain really begins with."""
        while True:
            if element.shape is Shape.JOIN and element.next is not None:
                element = element.next
            elif element.shape is Shape.UNLESS:
                element = element.subs[0].first
            else:
                return element

    # --- steps --------------------------------------------------------------------------------------------------------

    def _explore(self, control: Control) -> None:
        pending = [control.start]
        while pending:
            place = pending.pop()
            if place in control.steps:
                continue
            place.number = len(control.places) + 1
            control.places.append(place)
            control.steps[place] = steps = self._steps_with_escapes(place)
            _require_one_else(steps)
            _mark(control, place, place)
            pending += [step.target for step in reversed(steps) if step.target is not None]
            for step in steps:
                if step.element.shape is Shape.D_STEP:
                    control.inside[step.element] = self._inside(step.element)
        for place in control.places:
            for step in control.steps[place]:
                if step.passed is not None and step.target is not None:
                    _mark(control, step.passed, step.target)

    def _inside(self, d_step: Element) -> Inside:
        within = set(_within(d_step.subs[0]))
        start = self._started(d_step.subs[0].first)
        found: dict[Element, list[Step]] = {}
        pending = [start]
        while pending:
            place = pending.pop()
            if place in found:
                continue
            found[place] = steps = self._steps(place)
            place.number = place.number or -len(found)
            pending += [step.target for step in steps if step.target in within]
        return Inside(start, found)

    def _steps_with_escapes(self, place: Element) -> list[Step]:
        """SPIN gives the states their escapes in the order of their numbers, each those of the state that it escapes to
        as they are by then: an escape that has one itself brings that one along, as if it were its own."""
        steps = self._steps(place)
        found = list(steps)
        if place.shape is Shape.JOIN:  # the end of an atomic sequence: the step that leaves it has none
            return found
        for step in steps:
            for chain in reversed(step.element.escapes):
                start = self._started(chain.first)
                done = start.state < place.state
                for escape in self._steps_with_escapes(start) if done else self._steps(start):
                    if all(each.element is not escape.element for each in found):
                        found.insert(0, replace(escape, escape=start, passed=None))
        return found

    def _steps(self, place: Element) -> list[Step]:
        match place.shape:
            case Shape.CHOICE:
                return [step for option in place.subs for step in self._first(option)]
            case Shape.SEQUENCE:
                return list(self._first(place.subs[0]))
            case Shape.UNLESS:
                return self._steps(self._started(place))
            case Shape.END:
                return [Step(place, None, False)]
            case Shape.GOTO:
                return [Step(place, self._hunted(self._target(place), place.atomic), place.atomic)]
        assert place.next is not None
        return [Step(place, self._hunted(place.next, place.atomic), place.atomic)]

    def _first(self, chain: Chain) -> Iterator[Step]:
        """The steps that a chain can begin with."""
        start = self._started(chain.first)
        for step in self._steps(start):
            yield replace(step, passed=step.passed or start)


def _within(chain: Chain) -> Iterator[Element]:
    """All elements of the chain, and below them."""
    for element in chain.elements:
        yield element
        for sub in element.subs:
            if element not in sub.elements:
                yield from _within(sub)


def _own(chain: Chain) -> Chain:
    """The chain as far as its text goes."""
    if chain.extent is None or chain.extent not in chain.elements:
        return chain
    return Chain(chain.elements[: chain.elements.index(chain.extent) + 1], chain.extent)


def _require_single_else(statement: s.Choice) -> None:
    elses = [option for option in statement.options if isinstance(option[0], s.Else)]
    if len(elses) > 1:
        raise ModelRejected.of("there is a second else", elses[1][0].span, "one else takes what is left")


def _else_last(statement: s.Choice, subs: list[Chain]) -> list[Chain]:
    paired = list(zip(statement.options, subs, strict=True))
    others = [sub for option, sub in paired if not isinstance(option[0], s.Else)]
    return others + [sub for option, sub in paired if isinstance(option[0], s.Else)]


def _pruned(option: tuple[s.Stmt, ...]) -> set[int]:
    """Of several `skip` in a row, options of a choice keep the first, and the last if nothing comes behind it."""
    return {k for k in range(1, len(option) - 1) if _is_skip(option[k]) and _is_skip(option[k - 1])}


def _is_skip(statement: s.Stmt) -> bool:
    return isinstance(statement, s.Condition) and constant(statement.value) == 1


def _require_one_else(steps: list[Step]) -> None:
    elses = [step for step in steps if isinstance(step.statement, s.Else)]
    if len(elses) > 1:
        said = "two choices that begin with each other both have an else, so that it is not clear when to take it"
        raise ModelRejected.of(said, elses[1].element.span, "say what must hold instead of one of them")


def _make_atomic(chain: Chain) -> None:
    """All steps of the chain but its last one go on without others between them."""
    _mark_atomic(chain)
    last = chain.last
    if last.shape is Shape.SEQUENCE or last.shape is Shape.UNLESS:
        _make_atomic(last.subs[0])
    else:
        last.atomic, last.last_atomic = False, True


def _mark_atomic(chain: Chain) -> None:
    for element in chain.elements:
        element.atomic = True
        if element.shape is not Shape.D_STEP:
            for sub in element.subs:
                if element not in sub.elements:
                    _mark_atomic(sub)


def _attach(main: Chain, escape: Chain) -> None:
    """Each place of the main sequence can be left by the escape, and so can those of escapes inside of it."""
    for element in _own(main).elements:
        element.escapes.insert(0, escape)
        if element.shape in (Shape.UNLESS, Shape.CHOICE, Shape.SEQUENCE):
            for sub in element.subs:
                _attach(sub, escape)


def _mark(control: Control, labelled: Element, place: Element) -> None:
    for label in labelled.labels:
        if label.startswith("end"):
            control.ends.add(place)
        if label.startswith("progress"):
            control.progress.add(place)
        if label.startswith("accept"):
            control.accepting.add(place)
    if place.shape is Shape.END:
        control.ends.add(place)
