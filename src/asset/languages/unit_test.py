"""A run of a model as a unit test in Python: the calls that make its steps, and what is true at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

from asset.errors import UsageError
from asset.ir.program import Program
from asset.model import Model, Record

Imports = dict[str, set[str]]
"""The names that are imported from each module."""


def unit_test(model: Model, program: Program, commands: Sequence[int], start: int, holds: Mapping[str, bool]) -> str:
    """The run of these commands from the initial state of that number; `holds` says what is true at its end.

    Raises UsageError if an index cannot be written as it would be in Python.
    """
    name, own = type(model).__name__, type(model).__module__
    imports: Imports = {own: {name}}
    given = ", ".join(f"{name}={_value(value, imports)}" for name, value in model.parameters.items())
    begun = f"{name}({given}).initial_states()[{start}]" if start else f"{name}({given})"
    body = [
        f"model = {begun}",
        *(f"assert model.{call}" for call in _calls(model, program, commands, imports)),
        *_ending(model, holds),
    ]
    file = program.families[0].span.file if program.families else own
    by_name = {Path(file).stem if module == own else module: names for module, names in imports.items()}
    imported = (f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_name.items()))
    head = f"def test_a_run_of_{_words(name)}() -> None:"
    return "\n".join([*imported, "", "", head, *(f"    {line}" for line in body), ""])


def _calls(model: Model, program: Program, commands: Iterable[int], imports: Imports) -> Iterator[str]:
    transitions = model.transitions()
    for command in commands:
        family = program.commands[command][0]
        indices = transitions[command].indices
        own = len(indices) - family.choices
        name, _, _ = family.name.partition("@")
        words = [_value(each, imports) for each in indices[:own]]
        if family.choices:
            words.append(f"choices={_tuple(indices[own:], imports)}")
        yield f"{name}({', '.join(words)})"


def _ending(model: Model, holds: Mapping[str, bool]) -> Iterator[str]:
    """What a plain object can be asked in the last state; check functions of the ancestor's style return texts."""
    if hasattr(type(model), "fire_transition"):
        return
    for name, true in holds.items():
        if callable(getattr(type(model), name, None)):
            yield f"assert {'' if true else 'not '}model.{name}()"


def _value(value: object, imports: Imports) -> str:
    if isinstance(value, Enum | Record):
        imports.setdefault(type(value).__module__, set()).add(type(value).__name__)
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, Record):
        parts = ", ".join(f"{name}={_value(getattr(value, name), imports)}" for name in value._fields)
        return f"{type(value).__name__}({parts})"
    if isinstance(value, bool | int | float | str | None):
        return repr(value)
    if isinstance(value, tuple):
        return _tuple(value, imports)
    if isinstance(value, frozenset | set):
        return (
            f"frozenset({{{', '.join(sorted(_value(each, imports) for each in value))}}})" if value else "frozenset()"
        )
    raise UsageError.of(f"{value!r} cannot be written in a unit test")


def _tuple(values: Sequence[object], imports: Imports) -> str:
    return f"({', '.join(_value(each, imports) for each in values)}{',' if len(values) == 1 else ''})"


def _words(name: str) -> str:
    """`TokenRing` as `token_ring`."""
    return "".join(f"_{each.lower()}" if each.isupper() and at else each.lower() for at, each in enumerate(name))
