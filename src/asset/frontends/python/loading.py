"""Loading a model from a file: `ring.py`, or `ring.py:TokenRing` if the file has several."""

from __future__ import annotations

import importlib.util
import io
import os
import sys
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import ModuleType

from asset.errors import AssetError, ModelRejected, UsageError, described
from asset.model import Model
from asset.model.parameters import parse
from asset.model.spans import traceback_span
from asset.span import Span

_numbers = count(1)


def load(spec: str | Path, parameters: Mapping[str, str] | None = None) -> Model:
    """The model that the file defines, with the parameters given as text."""
    path, name = _split(str(spec))
    cls = _chosen(path, name, _classes(_imported(path)))
    values = parse(cls, parameters or {})
    try:
        return cls(**values)
    except (AssetError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _rejected(error, path) from None


def _split(spec: str) -> tuple[Path, str | None]:
    file, colon, name = spec.rpartition(":")
    path, chosen = (Path(file), name) if colon and file.endswith(".py") else (Path(spec), None)
    if not os.path.isfile(path):
        raise UsageError.of(f"there is no file {path}", remedy="a model is given as file.py or file.py:Class")
    return path, chosen


def _imported(path: Path) -> ModuleType:
    """The file as a module of its own, whatever other modules are called."""
    _require_text(path)
    name = f"asset_model_{next(_numbers)}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError.of(f"{path} is no Python file", remedy="a model is given as file.py or file.py:Class")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _on_path(path.resolve().parent):
            spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, AssetError | KeyboardInterrupt):
            raise
        raise _rejected(error, path) from None
    return module


def _require_text(path: Path) -> None:
    """ModelRejected if the file is not text: Python takes any bytes in a comment, but then nobody can read the file."""
    data = path.read_bytes()
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:  # if it names one that is unknown, Python will say so
        encoding = "utf-8"
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        span = Span(str(path), before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        wrong = f"the byte 0x{data[error.start]:02x} is not {error.encoding}"
        raise ModelRejected.of(wrong, span, "save the file as UTF-8, or say what it is: # coding: latin-1") from None


@contextmanager
def _on_path(directory: Path) -> Iterator[None]:
    sys.path.insert(0, str(directory))
    try:
        yield
    finally:
        with suppress(ValueError):  # the model may change the path, too
            sys.path.remove(str(directory))


def _rejected(error: BaseException, path: Path) -> AssetError:
    """What went wrong in the user's own code, at the user's own line."""
    if isinstance(error, SyntaxError):
        start = error.offset or 1
        line = error.lineno or 1
        span = Span(error.filename or str(path), line, start, error.end_lineno or line, error.end_offset or start + 1)
        return ModelRejected.of(f"SyntaxError: {error.msg}", span)
    return ModelRejected.of(described(error), traceback_span(error.__traceback__) or Span(str(path), 1))


def _classes(module: ModuleType) -> dict[str, type[Model]]:
    """The models that the file itself defines."""
    found = {}
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, Model) and value.__module__ == module.__name__:
            found[name] = value
    return found


def _chosen(path: Path, name: str | None, classes: Mapping[str, type[Model]]) -> type[Model]:
    choices = "\n    ".join(f"{path}:{cls}" for cls in classes)
    if not classes:
        raise UsageError.of(f"{path} defines no model", remedy="a model is a subclass of asset.Model")
    if name is None:
        if len(classes) > 1:
            raise UsageError.of(f"{path} defines {len(classes)} models", remedy=f"say which one:\n    {choices}")
        return next(iter(classes.values()))
    if name not in classes:
        raise UsageError.of(f"{path} defines no model {name}", remedy=f"it defines:\n    {choices}")
    return classes[name]
