"""Parameters of a model: annotated class attributes with defaults, bound when the model is made."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from typing import Any, ClassVar, get_args, get_origin

from asset.errors import Diagnostic, ModelRejected, UsageError
from asset.model.spans import class_span

TRUE_WORDS = {"true", "yes", "on", "1"}
FALSE_WORDS = {"false", "no", "off", "0"}


class Unsuitable(Exception):
    """A value that a parameter does not take; the text says what it takes."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name, what it takes and what it is unless given. `kind` is int, bool, str, tuple or an IntEnum class."""

    name: str
    kind: type
    default: Any

    @property
    def takes(self) -> str:
        if issubclass(self.kind, IntEnum):
            return f"one of {', '.join(m.name for m in self.kind)}"
        words = {int: "an integer", bool: "True or False", str: "a text", tuple: "a tuple of integers"}
        return words[self.kind]

    def accept(self, value: object) -> Any:
        """The value, if it is of the parameter's type; raises Unsuitable otherwise."""
        if type(value) is not self.kind or (self.kind is tuple and not _is_int_tuple(value)):
            raise Unsuitable(f"{self.name} takes {self.takes}, not {value!r}")
        return value

    def parse(self, text: str) -> Any:
        """The value that the text denotes; raises Unsuitable if it denotes none."""
        try:
            return self._parse(text.strip())
        except (ValueError, KeyError):
            raise Unsuitable(f"{self.name} takes {self.takes}, not '{text}'") from None

    def _parse(self, text: str) -> Any:
        if issubclass(self.kind, IntEnum):
            return self.kind[text] if text in self.kind.__members__ else self.kind(int(text, 0))
        if self.kind is bool:
            if text.lower() not in TRUE_WORDS | FALSE_WORDS:
                raise ValueError(text)
            return text.lower() in TRUE_WORDS
        if self.kind is tuple:
            inner = text.removeprefix("(").removesuffix(")")
            return tuple(int(part, 0) for part in inner.split(",") if part.strip())
        return int(text, 0) if self.kind is int else text


def _is_int_tuple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_int_tuple(part) for part in value)
    return isinstance(value, int)


def parameters_of(cls: type) -> dict[str, Parameter]:
    """The parameters that the class and its bases declare, base classes first; the last default counts."""
    found: dict[str, Parameter] = {}
    for base in reversed(cls.__mro__):
        for name, annotation in inspect.get_annotations(base).items():
            if name in vars(base) and not _is_class_variable(annotation):
                evaluated = _evaluated(annotation, base)
                kind = _kind(evaluated)
                if kind is not None:
                    found[name] = Parameter(name, kind, vars(base)[name])
                elif base.__module__ != "asset.model.model" and evaluated is not None:
                    raise _no_parameter(name, evaluated, base)
    inherited = {name: p for name, p in found.items() if hasattr(cls, name)}
    return {name: Parameter(name, p.kind, getattr(cls, name)) for name, p in inherited.items()}


def _no_parameter(name: str, annotation: object, owner: type) -> ModelRejected:
    shown = getattr(annotation, "__name__", None) or str(annotation)
    error = ModelRejected.of(
        f"{name}: {shown} = … declares no parameter: parameters are int, bool, str, an IntEnum or a tuple of int",
        class_span(owner),
        f"choose one of these types; for a constant of the class, write {name} = … without a type, or ClassVar",
    )
    assert isinstance(error, ModelRejected)
    return error


def _is_class_variable(annotation: object) -> bool:
    if isinstance(annotation, str):
        return annotation.startswith(("ClassVar", "typing.ClassVar"))
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _evaluated(annotation: object, owner: type) -> object:
    """An annotation kept as text (from __future__ import annotations), evaluated where the class was defined."""
    if not isinstance(annotation, str):
        return annotation
    scope = vars(sys.modules[owner.__module__]) if owner.__module__ in sys.modules else {}
    try:
        return eval(annotation, dict(scope), dict(vars(owner)))
    except Exception:  # an annotation may name what exists for a type checker only
        return None


def _kind(annotation: object) -> type | None:
    """The type of parameter that the annotation declares, or None if it declares no parameter."""
    origin = get_origin(annotation) or annotation
    if origin in (int, bool, str):
        return origin if isinstance(origin, type) else None
    if origin is tuple and all(_kind(arg) in (int, tuple) for arg in get_args(annotation) if arg is not ...):
        return tuple
    return origin if isinstance(origin, type) and issubclass(origin, IntEnum) else None


def bind(cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each parameter of the class; raises UsageError listing all that is wrong."""
    declared = parameters_of(cls)
    problems = [unknown_parameter(cls, name, declared) for name in given if name not in declared]
    values: dict[str, Any] = {}
    for name, parameter in declared.items():
        try:
            values[name] = parameter.accept(given.get(name, parameter.default))
        except Unsuitable as error:
            problems.append(Diagnostic(f"{cls.__name__}: parameter {error}"))
    if problems:
        raise UsageError(*problems)
    return values


def parse(cls: type, texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of the parameters that the texts give; raises UsageError listing all that is wrong."""
    declared = parameters_of(cls)
    values: dict[str, Any] = {}
    problems = []
    for name, text in texts.items():
        if name not in declared:
            problems.append(unknown_parameter(cls, name, declared))
            continue
        try:
            values[name] = declared[name].parse(text)
        except Unsuitable as error:
            problems.append(Diagnostic(f"{cls.__name__}: parameter {error}"))
    if problems:
        raise UsageError(*problems)
    return values


def unknown_parameter(cls: type, name: str, declared: Mapping[str, Parameter]) -> Diagnostic:
    if not declared:
        return Diagnostic(f"{cls.__name__} has no parameter '{name}': it has none", remedy=_how_to_declare(name))
    close = get_close_matches(name, declared, n=1)
    hint = f"did you mean '{close[0]}'?" if close else _how_to_declare(name)
    exist = ", ".join(f"{p.name} (= {_shown(p.default)})" for p in declared.values())
    return Diagnostic(f"{cls.__name__} has no parameter '{name}'; it has {exist}", remedy=hint)


def _how_to_declare(name: str) -> str:
    return f"a parameter is a class attribute with a type and a default: {name}: int = 3"


def _shown(value: object) -> str:
    return value.name if isinstance(value, IntEnum) else repr(value)
