"""Names in Python: of variables, values, methods. What they stand for elsewhere is told in comments."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

RESERVED = frozenset(
    (
        *("state", "transitions", "enabled_transitions", "initial_states", "parameters", "self", "when", "at"),
        *("range", "int", "any", "all", "sum", "min", "max", "abs"),
        *("Model", "Int", "Array", "IntEnum", "transition", "terminal"),
    )
)


class Names:
    """Identifiers, each given once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken) | RESERVED

    def new(self, wanted: str) -> str:
        base = re.sub(r"\W+", "_", wanted).strip("_") or "x"
        if base[0].isdigit() or keyword.iskeyword(base):
            base = f"x_{base}"
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name


def class_name(text: str) -> str:
    words = re.sub(r"\W+", "_", text).strip("_").split("_")
    name = "".join(word[:1].upper() + word[1:] for word in words) or "Model"
    return f"M{name}" if name[0].isdigit() or keyword.iskeyword(name) or name in RESERVED else name
