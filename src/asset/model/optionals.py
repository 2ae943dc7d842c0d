"""Optionals: an item, or None."""

from __future__ import annotations

from asset.ir.shapes import OptionalShape, RefShape
from asset.model.hooks import reject_subclass_members
from asset.model.state import Declaration, Template, rejected, template
from asset.model.views import encoded


class Optional(Declaration):
    """Declares a variable that is None or like `item`; initially `init`."""

    __slots__ = ("_init", "_shape")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reject_subclass_members(cls, Optional)

    def __init__(self, item: object, init: object = None) -> None:
        inner = template(item, "an Optional's item").shape
        if isinstance(inner, RefShape):
            raise rejected("an Optional of a Ref would be None in two ways", "leave out Optional: a Ref may be None")
        self._shape = OptionalShape(inner)
        self._init = encoded(self._shape, init, "the initial value")

    def _declares(self) -> Template:
        return Template(self._shape, self._init)
