"""The decorator `dataclass`, as that of the standard library, for modules that every command loads.

The library's compiles up to six methods of a frozen class when that is defined. Two hundred such classes took an eighth
of a second, a fifth of the time of a small check. Here `__init__` is compiled when the first object is made, and the
other methods are closures. What is not frozen is left to the library.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from collections.abc import Callable, Sequence
    from dataclasses import MISSING, Field, FrozenInstanceError, fields
    from dataclasses import dataclass as library_dataclass
    from operator import attrgetter

    _Decorator = Callable[[type], type]

    def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True, repr: bool = True) -> _Decorator:
        if not frozen:
            return library_dataclass(slots=slots, eq=eq, repr=repr)
        return lambda cls: _frozen(cls, slots, eq, repr)

    def _frozen(cls: type, slots: bool, eq: bool, repr: bool) -> type:
        cls.__doc__ = cls.__doc__ or cls.__name__  # the library would write down its signature
        own = set(cls.__dict__)
        made = library_dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        methods = {"__init__": _compiled_at_first(made), "__setattr__": _refused, "__delattr__": _refused}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
        if repr:
            methods["__repr__"] = _shown
        if eq:
            values = _values(tuple(each.name for each in fields(made) if each.compare))
            methods |= {"__eq__": _equality(values), "__hash__": lambda self: hash(values(self))}
        for name, method in methods.items():
            if name not in own:
                setattr(made, name, method)
        return made

    def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
        if len(names) > 1:
            return attrgetter(*names)
        return lambda self: tuple(getattr(self, name) for name in names)

    def _equality(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
        def __eq__(self: Any, other: object) -> bool:
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        return __eq__

    def _refused(self: Any, name: str, value: object = None) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, each.name) for each in fields(self)]

    def _set_state(self: Any, state: list[Any]) -> None:
        for each, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def _shown(self: Any) -> str:
        parts = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
        return f"{type(self).__qualname__}({', '.join(parts)})"

    def _compiled_at_first(cls: type) -> Callable[..., None]:
        def __init__(self: Any, *args: Any, **given: Any) -> None:
            cls.__init__ = _initialiser(cls, fields(cls))
            cls.__init__(self, *args, **given)

        return __init__

    def _initialiser(cls: type, parts: Sequence[Field[Any]]) -> Callable[..., None]:
        """Has a parameter for each part."""
        names = {"__missing__": MISSING, "__assign__": object.__setattr__}
        parameters, body = ["self"], []
        for part in parts:
            value = part.name
            if part.default_factory is not MISSING:
                names[f"make_{part.name}"] = part.default_factory
                parameters.append(f"{part.name}=__missing__")
                value = f"make_{part.name}() if {part.name} is __missing__ else {part.name}"
            elif part.default is not MISSING:
                names[f"default_{part.name}"] = part.default
                parameters.append(f"{part.name}=default_{part.name}")
            elif part.init:
                parameters.append(part.name)
            if part.init:
                body.append(f" __assign__(self, {part.name!r}, {value})")
        body.append(" self.__post_init__()" if hasattr(cls, "__post_init__") else " pass")
        exec("\n".join([f"def __init__({', '.join(parameters)}):", *body]), names)
        return names["__init__"]
