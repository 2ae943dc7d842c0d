"""What names stand for while terms and rules are lowered, and how a pattern gives names their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asset.frontends.asm import tree as t
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.results import LocalFunction, Returned
from asset.frontends.asm.values import TupleValue, UndefValue, Value, noun


@dataclass(frozen=True, slots=True)
class Deferred:
    """An argument that is put in the place of a parameter: it is evaluated wherever that is used."""

    term: t.Term
    env: Environment


Bound = Value | Deferred | Returned | LocalFunction
Environment = Mapping[str, Bound]


def bind(pattern: t.Term, value: Value, env: dict[str, Bound]) -> None:
    """The names of the pattern get their parts of the value."""
    match pattern:
        case t.Wildcard():
            pass
        case t.Name(name=name):
            env[name] = value
        case t.Tuple(items=items) if (parts := parts_for(items, value)) is not None:
            for item, part in zip(items, parts, strict=True):
                bind(item, part, env)
        case _:
            raise Rejected(f"this does not fit {noun(value)}", pattern.span)


def parts_for(items: tuple[t.Term, ...], value: Value) -> tuple[Value, ...] | None:
    """The parts for a pattern of so many; those of `undef` are."""
    parts = value.parts if isinstance(value, TupleValue) else ()
    parts = (value,) * len(items) if isinstance(value, UndefValue) else parts
    return parts if len(parts) == len(items) else None
