"""Ranges of indices that a parameter does not change, though they look as if it did.

In the body of a class, `@transition(i=n)` takes the value that n has there. With `-p n=3` it would be the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from asset.errors import ModelRejected
from asset.model.indices import Indexed
from asset.model.spans import span_of
from asset.model.syntax_trees import tree_of

if TYPE_CHECKING:
    from asset.model import Model


def reject_fixed_ranges(model: Model) -> None:
    for owner in type(model).__mro__:
        own = vars(owner)
        for declared in [each for each in own.values() if isinstance(each, Indexed)]:
            for keyword, name in _names_in_ranges(declared):
                if name in own and name in model.parameters and keyword.arg in declared.specifications:
                    raise _rejected(declared, keyword, name)


def _names_in_ranges(declared: Indexed) -> Iterator[tuple[ast.keyword, str]]:
    with suppress(ModelRejected):  # without a text: it is said where the text is needed
        for decorator in tree_of(declared.function).decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                for part in ast.walk(keyword.value):
                    if isinstance(part, ast.Name):
                        yield keyword, part.id


def _rejected(declared: Indexed, keyword: ast.keyword, name: str) -> ModelRejected:
    value = keyword.value
    place = span_of(
        declared.function.__code__.co_filename,
        keyword.lineno,
        keyword.end_lineno or keyword.lineno,
        (keyword.col_offset, keyword.end_col_offset or 0),
    )
    error = ModelRejected.of(
        f"{name} has the value of the class here, whatever the parameter is",
        place,
        f'write {keyword.arg}="{ast.unparse(value)}": a text is evaluated for each model',
    )
    assert isinstance(error, ModelRejected)
    return error
