"""Decorators: what they may stand above, and that none of them is lost.

A decorator notes in the body of the class what it declared. Once the class is complete, each of these must be one of
its members. A second decorator, or a second definition of the name, may have replaced it; the model that is checked
would then be smaller than the one that was written.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, FunctionType

from asset.errors import ModelRejected
from asset.model.spans import definition_span, user_span
from asset.span import Span

NOTE = "__asset_declared__"
"""What the decorators in the body of a class have declared: a list in the class."""

MARKS = "__asset_marks__"
"""The decorators of a function that stay with it: a tuple of them in the function."""


@dataclass(frozen=True, slots=True)
class Decoration:
    """What a decorator made of a function, or what another call in the body of a class declared."""

    decorator: str
    name: str
    made: object
    span: Span | None


def note(decorator: str, made: object, function: FunctionType | None = None) -> None:
    """Notes in the class whose body is being run, if there is one, that this must become a member of it."""
    body = _class_body(sys._getframe(1))
    if body is not None:
        name, span = ("it", user_span()) if function is None else (function.__name__, definition_span(function))
        body.f_locals.setdefault(NOTE, []).append(Decoration(decorator, name, made, span))


def _class_body(frame: FrameType | None) -> FrameType | None:
    """The innermost body of a class that is being run; not that of a class which imports a module."""
    while frame is not None and frame.f_code.co_name != "<module>":
        if "__qualname__" in frame.f_locals and "__module__" in frame.f_locals:
            return frame
        frame = frame.f_back
    return None


def plain_function(decorator: str, given: object) -> FunctionType:
    """What the decorator stands above, if it is a function that runs when it is called."""
    if not isinstance(given, FunctionType):
        what = f"{decorator} stands above something that is no function: {_described(given)}"
        raise ModelRejected.of(what, _place(given), f"write {decorator} above def, and no other decorator between")
    if inspect.iscoroutinefunction(given) or inspect.isasyncgenfunction(given):
        what = f"{given.__name__} is an async function, which is not part of the language"
        raise ModelRejected.of(what, definition_span(given), "write def: a transition is one atomic step")
    if "__signature__" in vars(given):
        what = f"{given.__name__} has a __signature__ that is not its own"
        raise ModelRejected.of(what, definition_span(given), "decorate the function that is meant")
    return given


def unmarked_function(decorator: str, given: object) -> FunctionType:
    """A function that no other decorator of the modelling language has been applied to."""
    function = plain_function(decorator, given)
    others = marks_of(function)
    if others:
        what = f"{function.__name__} has both {decorator} and {others[0]}"
        raise ModelRejected.of(what, definition_span(function), "a method is one of them: write two methods")
    return function


def marks_of(function: object) -> tuple[str, ...]:
    """The decorators that stay with the function."""
    found: tuple[str, ...] = getattr(function, MARKS, ()) if isinstance(function, FunctionType) else ()
    return found


def mark(decorator: str, function: FunctionType) -> None:
    """The decorator stays with the function, which must become a member of the class."""
    setattr(function, MARKS, (*marks_of(function), decorator))
    note(decorator, function, function)


def parameters_of_function(function: FunctionType) -> tuple[str, ...]:
    """The names of its arguments, as Python passes them: what a wrapper pretends to take does not count."""
    return tuple(inspect.signature(function, follow_wrapped=False).parameters)


def takes_only_names(function: FunctionType) -> bool:
    """Whether the arguments can all be given by position, and no * takes others."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def reject_lost(cls: type) -> None:
    """Raises ModelRejected if a decorator of the class, or of a base class, has nothing to show for itself."""
    for base in cls.__mro__:
        members = {id(member) for member in vars(base).values()}
        for noted in vars(base).get(NOTE, ()):
            if id(noted.made) not in members:
                what = f"{noted.name} is declared with {noted.decorator}, but is no member of {base.__name__}"
                remedy = f"write {noted.decorator} above all other decorators, and give each method a name of its own"
                raise ModelRejected.of(what, noted.span, remedy)
    for name in dict.fromkeys(name for base in cls.__mro__ for name in vars(base)):
        _reject_undecorated(cls, name)


def _reject_undecorated(cls: type, name: str) -> None:
    """A method that replaces a decorated one must say whether it is decorated too."""
    owners = [base for base in cls.__mro__ if name in vars(base)]
    member = vars(owners[0])[name]
    if member is None or len(owners) == 1 or any(_declared_by(member)):
        return
    for decorator in _declared_by(vars(owners[1])[name]):
        what = f"{name} replaces what {owners[1].__name__} declares with {decorator}, but is not declared itself"
        remedy = f"write {decorator} above it; {name} = None leaves it out"
        raise ModelRejected.of(what, _place(member), remedy)


def _declared_by(member: object) -> Iterator[str]:
    """The decorators that made the member what it is."""
    yield from marks_of(member)
    decorator = getattr(type(member), "decorator", None)
    if isinstance(decorator, str):
        yield decorator


def _described(given: object) -> str:
    return f"a {type(given).__name__}" if not isinstance(given, type) else f"the class {given.__name__}"


def _place(given: object) -> Span | None:
    """Where the function in it was defined, else where the user's code is now."""
    inside = (getattr(given, name, None) for name in ("__wrapped__", "__func__", "fget", "func"))
    function = next((f for f in (given, *inside) if isinstance(f, FunctionType)), None)
    return user_span() if function is None else definition_span(function)
