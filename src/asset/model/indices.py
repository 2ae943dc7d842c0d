"""Methods with indices: what a decorator says of their ranges, and the values for a model."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from asset.errors import ModelRejected
from asset.ir.program import IndexLabel
from asset.model.decorations import note, parameters_of_function, takes_only_names, unmarked_function
from asset.model.hooks import reject_enum_hooks, reject_number_hooks
from asset.model.records import Record
from asset.model.spans import definition_span
from asset.model.symbols import is_symbol, number_of

if TYPE_CHECKING:
    from asset.model import Model

MAX_COMMANDS = 1_000_000
"""Of one method with indices: the tool knows each by number and name, and an engine has room for all successors."""


FAIRNESS = ("weak", "strong")
"""What `fair` takes in a decorator, and `--fair` on the command line."""


class Indexed:
    """A method with a decorator that gives the ranges of its indices."""

    decorator: ClassVar[str]

    def __init__(self, given: Callable[..., Any], indices: Mapping[str, Any]) -> None:
        function = unmarked_function(self.decorator, given)
        self.function = function
        self.specifications = dict(indices)
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        itself, *expected = parameters_of_function(function) or ("",)
        if not itself or not takes_only_names(function):
            message = f"{self.name} must take self and its indices, and nothing with *"
            raise self.rejected(message, f"write def {self.name}({', '.join(('self', *indices))})")
        if sorted(expected) != sorted(indices):
            raise self.rejected(
                f"{self.name} takes {_names(expected)}, but {self.decorator} gives {_names(indices)}",
                f"write {self.decorator}({', '.join(f'{name}=...' for name in expected)})"
                if expected
                else f"write def {self.name}({', '.join((itself, *indices))})",
            )
        self.index_names = tuple(expected)

    @classmethod
    def decorating(cls, given: Any, indices: Mapping[str, Any]) -> Any:
        """What the decorator makes of the function below it; without one, of the function that comes next."""
        if given is None:
            return lambda function: cls._declared(function, indices)
        return cls._declared(given, {})

    @classmethod
    def _declared(cls, given: Callable[..., Any], indices: Mapping[str, Any]) -> Self:
        made = cls(given, indices)
        note(cls.decorator, made, made.function)
        return made

    def rejected(self, message: str, remedy: str = "") -> ModelRejected:
        error = ModelRejected.of(message, definition_span(self.function), remedy)
        assert isinstance(error, ModelRejected)
        return error

    def checked_fairness(self, fair: object) -> str | None:
        """What the decorator says of fairness: weak, strong, or None."""
        if fair is not None and fair not in FAIRNESS:
            raise self.rejected(f"fair={fair!r} is unknown", f"there are: {', '.join(FAIRNESS)}")
        return None if fair is None else str(fair)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def ranges(self, model: Model) -> tuple[tuple[Any, ...], ...]:
        """The values of each index, in the order of the method's arguments."""
        known = model._ranges.get(self)
        if known is None:
            known = tuple(self.values(name, self.specifications[name], model) for name in self.index_names)
            self._require_few(prod(map(len, known)), "has {} combinations of indices")
            model._ranges[self] = known
        return known

    def values(self, name: str, specification: object, model: Model) -> tuple[Any, ...]:
        """What an index ranges over, by what was written in the decorator."""
        value = self._evaluated(name, specification, model) if isinstance(specification, str) else specification
        if isinstance(value, type) and issubclass(value, Enum):
            reject_enum_hooks(value)
            return tuple(value)
        if isinstance(value, int) and not isinstance(value, bool):
            value = range(value)
        if isinstance(specification, str) and isinstance(value, Iterator):
            value = tuple(islice(value, MAX_COMMANDS + 1))
        if isinstance(value, range):
            self._require_few(max(0, (value.stop - value.start) // value.step), f"has {{}} values of index {name}")
        if isinstance(value, set | frozenset):
            value = sorted(value, key=repr) if any(not isinstance(v, int) for v in value) else sorted(value)
        if isinstance(value, range | tuple | list | dict) and all(map(_can_be_index, value)):
            for kind in {type(v) for v in value if isinstance(v, int)}:
                reject_number_hooks(kind)
            if len(set(value)) != len(value):
                raise self.rejected(f"the values of index {name} are not distinct: {value!r}")
            return tuple(value)
        raise self.rejected(
            f"index {name} of {self.name} cannot range over {value!r}",
            "give a number, a range, an Enum class, a tuple of numbers, texts, None, tuples or frozensets, or an "
            "expression over the parameters",
        )

    def _require_few(self, commands: int, says: str) -> None:
        """Asked before anything is made of each of them."""
        if commands > MAX_COMMANDS:
            raise self.rejected(
                f"{self.name} {says.format(f'{commands:,}')}; there can be at most {MAX_COMMANDS:,}",
                "give smaller ranges or parameters, or make the number a part of the state",
            )

    def _evaluated(self, name: str, expression: str, model: Model) -> object:
        scope = {**vars(builtins), **self.function.__globals__, **vars(type(model)), **model.parameters}
        try:
            return eval(expression, scope)
        except Exception as error:
            known = ", ".join(model.parameters) or "none"
            raise self.rejected(
                f'index {name} of {self.name}: cannot evaluate "{expression}": {error}',
                f"it is an expression over the parameters: {known}",
            ) from None


def labels_of(ranges: Iterable[Iterable[Any]]) -> tuple[IndexLabel, ...]:
    """How indices are shown: members of an enumeration and truth values by their names. None if all are numbers."""
    coded = [tuple(zip(codes_of(values), values, strict=True)) for values in map(tuple, ranges)]
    named = [tuple((code, shown_index(v)) for code, v in pairs if not _is_plain(v)) for pairs in coded]
    return tuple(IndexLabel("", values) for values in named) if any(named) else ()


def codes_of(values: Sequence[Any]) -> tuple[int, ...]:
    """The numbers that stand for the values of an index: their own or, if they are tuples or sets, their positions."""
    return tuple(map(number_of, values)) if are_numbers(values) else tuple(range(len(values)))


def are_numbers(values: Sequence[Any]) -> bool:
    """Whether a number stands for each of the values, wherever it is."""
    return all(isinstance(value, int) or is_symbol(value) for value in values)


def shown_index(value: object) -> str:
    """As it is written in the name of a transition."""
    match value:
        case Enum():
            return value.name
        case bool() | str():
            return str(value)
        case int():
            return str(int(value))
        case frozenset():
            ordered = sorted(value, key=number_of if are_numbers(tuple(value)) else repr)
            return f"{{{', '.join(map(shown_index, ordered))}}}"
        case tuple():
            return f"({', '.join(map(shown_index, value))})"
        case _:
            return repr(value)


def _can_be_index(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return type(value) in (tuple, frozenset) and all(map(_can_be_index, value))
    return value is None or isinstance(value, int | Record) or is_symbol(value)


def _is_plain(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, Enum | bool)


def _names(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return listed or "no index"
