"""The text that is read is the code that Python would run, or the model is rejected."""

from __future__ import annotations

import importlib
import linecache
import os
import py_compile
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from asset import Model, ModelRejected, check, invariant, process, transition
from asset.frontends.python import compile_model, load

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors

TEXT = """\
from asset import *
from asset_test_steps import step

LIMIT = 3

class M(Model):
    def state(self):
        self.x = Int(0, 9)

    def bound(self):
        return LIMIT

    @transition
    def t(self):
        when(self.x < 9)
        self.x = step(self.x)

    @process
    def p(self):
        when(self.x > 8)
        yield
        self.x = 0

    @invariant
    def i(self):
        return self.x <= self.bound()
"""
HELPER = "def step(x):\n    return x + 1\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "asset_test_steps.py").write_text(HELPER)
    (tmp_path / "asset_test_model.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("asset_test_steps", "asset_test_model"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    importlib.invalidate_caches()
    return importlib.import_module("asset_test_model")


def edit(module: ModuleType, old: str, new: str) -> None:
    """As an editor does: the file has another text, and another time."""
    path = Path(module.__file__ or "")
    before = path.stat().st_mtime_ns
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before + 10**9, before + 10**9))


def rejection(model: Model) -> str:
    with pytest.raises(ModelRejected) as rejected:
        check(model)
    first, *_ = rejected.value.diagnostics
    assert first.span is not None and first.remedy
    return first.message


def test_a_module_that_was_not_edited_is_checked(module: ModuleType) -> None:
    assert check(module.M()).counterexample is not None


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("self.x < 9", "self.x < 2", "t"),  # a constant in the code
        ("self.x = step(self.x)", "self.x = 2", "t"),  # another statement
        ("return self.x <= ", "return self.x >= ", "i"),  # another operator
        ("return LIMIT", "return TOP", "bound"),  # another name
        ("LIMIT = 3\n", "LIMIT = 3\n\n", "t"),  # the same code in another place
        ("def bound(self)", "def bound(self, k=1)", "bound"),  # other arguments
        ("    @transition\n    def t", "    @transition\n    def u", "t"),  # another name of the function
        ("self.x = 0", "self.x = 1", "p"),  # a process
        ("class M(Model):", "class M(Model:", "t"),  # no Python at all
    ],
)
def test_a_file_that_was_edited_after_its_import_is_rejected(
    module: ModuleType, old: str, new: str, named: str
) -> None:
    edit(module, old, new)
    with pytest.raises(ModelRejected) as rejected:
        check(module.M())
    message = str(rejected.value)
    assert "is not what Python runs: the file changed after it was imported" in message
    assert named in message and "importlib.reload" in message


def test_an_edited_file_of_a_helper_is_rejected_too(module: ModuleType) -> None:
    edit(sys.modules["asset_test_steps"], "x + 1", "x + 2")
    assert rejection(module.M()).startswith("the text of step is not what Python runs")


def test_a_file_that_is_gone_is_rejected(module: ModuleType) -> None:
    Path(module.__file__ or "").unlink()
    linecache.clearcache()
    with pytest.raises(ModelRejected, match=r"source of . is not available"):
        check(module.M())


def test_a_change_that_means_the_same_is_no_change(module: ModuleType) -> None:
    edit(module, "self.x <= self.bound()", "self.x <= self.bound()  # the invariant")
    assert check(module.M()).counterexample is not None


def test_a_module_that_is_reloaded_is_checked_as_it_is_now(module: ModuleType) -> None:
    assert not check(module.M()).holds
    edit(module, "self.x <= self.bound()", "self.x <= 9")
    importlib.reload(module)
    assert check(module.M()).holds


def test_an_object_of_before_a_reload_is_rejected(module: ModuleType) -> None:
    old = module.M()
    edit(module, "return LIMIT", "return 2 * LIMIT")
    importlib.reload(module)
    assert "is not what Python runs" in rejection(old)


def test_constants_of_the_module_are_taken_as_they_are_when_it_is_checked(module: ModuleType) -> None:
    shallow = check(module.M())
    module.LIMIT = 5
    assert len(check(module.M()).counterexample) == len(shallow.counterexample) + 2
    assert len(shallow.counterexample) == 5


def test_a_method_that_is_replaced_after_the_first_check_is_the_one_that_is_checked(module: ModuleType) -> None:
    model = module.M()
    check(model)

    def bound(self):
        return 6

    module.M.bound = bound
    assert len(check(model).counterexample) == 8


def test_a_decorated_method_that_is_replaced_by_a_plain_one_is_rejected(module: ModuleType) -> None:
    model = module.M()
    module.M.i = lambda self: True
    assert rejection(model) == "i is declared with @invariant, but is no member of M"


def test_a_process_that_is_replaced_after_the_model_was_made_is_rejected(module: ModuleType) -> None:
    model = module.M()

    def p(self):
        yield

    module.M.p = process(p)
    assert rejection(model) == "p is declared with @process, but is no member of M"


def test_what_is_put_into_an_object_is_rejected(module: ModuleType) -> None:
    model = module.M()
    object.__setattr__(model, "bound", lambda: 9)
    assert rejection(model).startswith("bound was put into the object itself")


def test_an_attribute_of_the_class_that_hides_a_state_variable_is_rejected(module: ModuleType) -> None:
    model = module.M()
    module.M.x = 3
    assert rejection(model).startswith("the class got an attribute x")


def test_a_hook_that_the_class_gets_later_is_rejected(module: ModuleType) -> None:
    model = module.M()
    module.M.__getattribute__ = object.__getattribute__
    assert "M.__getattribute__ would replace" in rejection(model)


def test_a_function_whose_code_was_replaced_is_that_code(module: ModuleType) -> None:
    module.M.bound.__code__ = module.M.bound.__code__.replace(co_names=("OTHER",))
    assert "the text of bound is not what Python runs" in rejection(module.M())


def test_nested_functions_of_one_line_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "lines.py"
    file.write_text(
        "from asset import *\n"
        "def one(): return 1\n"
        "def made(k):\n"
        "    def f(): return k\n"
        "    return f\n"
        "two, three = made(2), made(3)\n"
        "class M(Model):\n"
        "    def state(self): self.x = Int(0, 9)\n"
        "    @transition\n"
        "    def t(self): self.x = one() + two() + three()\n"
        "    @invariant\n"
        "    def i(self): return self.x in (0, 6)\n"
    )
    assert check(load(file)).holds


def test_assertions_that_pytest_rewrites_are_read_as_they_are_written() -> None:
    class Asserting(Model):
        def state(self):
            self.flag = False

        @transition
        def t(self):
            assert not self.flag, "set twice"
            self.flag = True

    assert not check(Asserting()).holds


def test_assertions_that_python_leaves_out_are_not_checked_silently(tmp_path: Path) -> None:
    file = tmp_path / "asserting.py"
    file.write_text(
        "from asset import *\nclass M(Model):\n    def state(self): self.x = False\n"
        "    @transition\n    def t(self):\n        assert self.x\n"
    )
    run = [sys.executable, "-O", "-m", "asset", "check", str(file)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "Python was started with -O" in done.stderr + done.stdout


def test_a_module_without_text_is_rejected(tmp_path: Path) -> None:
    source = tmp_path / "textless.py"
    source.write_text(
        "from asset import *\nclass M(Model):\n    def state(self): self.x = True\n"
        "    @transition\n    def t(self): self.x = False\n"
    )
    compiled = tmp_path / "only.pyc"
    py_compile.compile(str(source), cfile=str(compiled))
    source.unlink()
    linecache.clearcache()
    spec = importlib.util.spec_from_file_location("only", compiled)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert rejection(module.M()) == "the source of t is not available"


def test_a_property_is_one_of_each_kind_that_its_decorators_name() -> None:
    class Both(Model):
        def state(self):
            self.flag = False

        @transition
        def t(self):
            self.flag = not self.flag

        @invariant
        @invariant
        def i(self):
            return True

    assert len(compile_model(Both()).requirements) == 1
