"""The hooks of Python's data model: in every type that a model is made of, each means the same when it is compiled, or
it is rejected where it is declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Agreement

from asset.errors import ModelRejected
from asset.frontends.python import load
from asset.model.hooks import HARMLESS, MAKING, is_hook

HEAD = """\
from enum import IntEnum
from asset import *


"""

WITH_SELF = (
    *("__bool__", "__len__", "__iter__", "__reversed__", "__next__", "__length_hint__", "__hash__", "__del__"),
    *("__index__", "__int__", "__float__", "__complex__", "__neg__", "__pos__", "__abs__", "__invert__"),
    *("__trunc__", "__floor__", "__ceil__", "__call__", "__enter__", "__aenter__", "__await__", "__aiter__"),
    *("__anext__", "__copy__", "__bytes__", "__fspath__"),
)
BINARY = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and"),
    *("xor", "or"),
)
COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
WITH_OTHER = (
    *COMPARING,
    *(f"__{prefix}{name}__" for name in BINARY for prefix in ("", "r", "i")),
    *("__contains__", "__getitem__", "__delitem__", "__missing__", "__getattr__", "__getattribute__", "__delattr__"),
    *("__delete__", "__deepcopy__", "__round__", "__instancecheck__", "__subclasscheck__"),
)
WITH_TWO = ("__setitem__", "__setattr__", "__get__", "__set__")
HOOKS = {
    **{name: "(self)" for name in WITH_SELF},
    **{name: "(self, other)" for name in WITH_OTHER},
    **{name: "(self, one, other)" for name in WITH_TWO},
    "__exit__": "(self, *_)",
    "__aexit__": "(self, *_)",
    "__buffer__": "(self, flags)",
    "__mro_entries__": "(self, bases)",
    "__prepare__": "(name, bases)",
}
"""All names of the chapter `Data model` of Python's reference that change what code does, with their arguments."""

RESULTS = {
    "__getattribute__": "super().__getattribute__(other)",
    "__setattr__": "super().__setattr__(one, other)",
    "__get__": "self",
}
"""What a hook returns, if 1 would break Python itself."""

CONSTRUCTORS = {
    "__init__": "(self, *given, **named): super().__init__(*given, **named)",
    "__new__": "(cls, *given, **named): return super().__new__(cls, *given, **named)",
    "__post_init__": "(self): pass",
    "__init_subclass__": "(cls, **named): super().__init_subclass__(**named)",
    "__class_getitem__": "(cls, item): return cls",
    "__set_name__": "(self, owner, name): pass",
}
"""Hooks that run while something is made: what has been made before the model is compiled is as they left it."""

TYPES = {
    "Record": (
        "class Own(Record):\n    a: Int(0, 3)\n    b: Int(0, 1)\n",
        "Own(Int(0, 3), Int(0, 1))",
        "if self.v == self.w:\n            self.w.a = 2\n        self.v.a = (self.v.a + 1) % 4",
    ),
    "IntEnum": (
        "class Own(IntEnum):\n    A = 0\n    B = 1\n    C = 2\n",
        "Own.A",
        "if self.v < Own.C and not self.w:\n            self.w = Own.B\n        self.v = (self.v + 1) % 3",
    ),
    "Queue": (
        "class Own(Queue):\n    __slots__ = ()\n",
        "Own(2, Int(0, 3))",
        "if self.v:\n            self.v.get()\n        self.v.put(len(self.w) + 1)",
    ),
    "Set": (
        "class Own(Set):\n    __slots__ = ()\n",
        "Own(3)",
        "self.v ^= {1}\n        if self.v != self.w:\n            self.w.add(2)",
    ),
    "Bag": ("class Own(Bag):\n    __slots__ = ()\n", "Own(3, 2)", "if 1 not in self.v:\n            self.v.add(1)"),
    "Map": ("class Own(Map):\n    __slots__ = ()\n", "Own(3, Int(0, 3))", "self.v[1] = len(self.v)"),
    "Array": (
        "class Own(Array):\n    __slots__ = ()\n",
        "Own(2, Int(0, 3))",
        "self.v[0] = (self.v[0] + len(self.w)) % 4",
    ),
    "Optional": (
        "class Own(Optional):\n    __slots__ = ()\n",
        "Own(Int(0, 3))",
        "self.v = 2 if self.v is None else None",
    ),
    "Int": ("class Own(Int):\n    __slots__ = ()\n", "Own(0, 3)", "self.v = (self.v + 1) % 4"),
    "Bits": ("class Own(Bits):\n    __slots__ = ()\n", "Own(2)", "self.v = (self.v + 1) % 4"),
    "tuple": (
        "class Own(tuple):\n    __slots__ = ()\n",
        "Own((Int(0, 3), Int(0, 3)))",
        "self.v = (self.v[1], (self.v[0] + 1) % 4)",
    ),
    "constant tuple": (
        "class Own(tuple):\n    __slots__ = ()\n",
        "Int(0, 3)",
        "if OWN and OWN == (2, 1):\n            self.v = (OWN[self.v % 2] + self.v) % 4",
    ),
    "constant int": (
        "class Own(int):\n    __slots__ = ()\n",
        "Int(0, 3)",
        "if self.v < OWN:\n            self.v = (self.v + OWN) % 4",
    ),
    "constant str": (
        "class Own(str):\n    __slots__ = ()\n",
        "Int(0, 3)",
        "if OWN == 'x':\n            self.v = (self.v + 1) % 4",
    ),
    "index": (
        "class Own(int):\n    __slots__ = ()\n",
        "Int(0, 9)",
        "if self.v < i:\n            self.v = (self.v + i) % 4",
    ),
    "exception": ("class Own(Exception):\n    __slots__ = ()\n", "Int(0, 3)", "raise Own"),
    "Model": ("", "Int(0, 3)", "self.v = (self.v + 1) % 4"),
}
"""What a user's class may be a subclass of: the class, a declaration with it, and a transition that uses it."""

CONSTANTS = {"constant tuple": "Own((2, 1))", "constant int": "Own(2)", "constant str": "Own('x')"}


def model_text(kind: str, member: str) -> str:
    own, declaration, body = TYPES[kind]
    inside = member if kind == "Model" else ""
    indices = ("(i=(Own(1), Own(2)))", ", i") if kind == "index" else ("", "")
    return (
        f"{HEAD}{own}{'' if kind == 'Model' else member}\nOWN = {CONSTANTS.get(kind)}\n"
        f"class M(Model):\n{inside}    def state(self):\n"
        f"        self.v = {declaration}\n        self.w = {declaration}\n"
        f"    @transition{indices[0]}\n    def t(self{indices[1]}):\n        {body}\n"
    )


def loaded(folder: Path, kind: str, member: str) -> Agreement:
    file = folder / f"model_{len(list(folder.iterdir()))}.py"
    file.write_text(model_text(kind, member), encoding="utf-8")
    return Agreement(load(file), compiled=False)


@pytest.mark.parametrize("kind", TYPES)
def test_the_types_themselves_can_be_subclassed(kind: str, tmp_path: Path) -> None:
    assert loaded(tmp_path, kind, "").explore() > 0


@pytest.mark.parametrize("kind", TYPES)
def test_each_hook_is_rejected_where_it_is_declared(kind: str, tmp_path: Path) -> None:
    for hook, arguments in HOOKS.items():
        with pytest.raises(ModelRejected) as rejected:
            loaded(tmp_path, kind, f"    def {hook}{arguments}: return {RESULTS.get(hook, '1')}\n")
        (diagnostic,) = rejected.value.diagnostics
        assert hook in diagnostic.message
        assert diagnostic.span is not None and f"def {hook}" in diagnostic.span.source_line


@pytest.mark.parametrize("kind", TYPES)
def test_each_constructor_means_the_same_or_is_rejected(kind: str, tmp_path: Path) -> None:
    for hook, code in CONSTRUCTORS.items():
        try:
            loaded(tmp_path, kind, f"    def {hook}{code}\n").explore()
        except ModelRejected as rejected:
            assert hook in str(rejected) and all(diagnostic.span for diagnostic in rejected.diagnostics)


@pytest.mark.parametrize("kind", TYPES)
def test_how_a_value_is_shown_is_its_own_matter(kind: str, tmp_path: Path) -> None:
    for name in ("__repr__", "__str__", "__format__", "__dir__", "__sizeof__"):
        assert loaded(tmp_path, kind, f"    def {name}(self, *_): return 'shown'\n").explore() > 0


OF_CLASSES = {
    *("__base__", "__bases__", "__basicsize__", "__class__", "__dictoffset__", "__flags__", "__itemsize__", "__mro__"),
    *("__name__", "__subclasses__", "__subclasshook__", "__text_signature__", "__weakrefoffset__", "mro"),
}
"""What classes have and instances do not; a class that redefines one is rejected like any hook."""


def test_every_hook_of_pythons_own_types_is_in_a_table() -> None:
    """A name that a later Python adds is rejected until someone says what it means."""
    names = {name for cls in (object, type, int, tuple, str, set, dict, property) for name in dir(cls)}
    known = {*HOOKS, *CONSTRUCTORS, *MAKING, *OF_CLASSES}
    assert {name for name in names if is_hook(name)} <= known
    assert {name for name in names if name.startswith("__") and not is_hook(name)} <= HARMLESS
