"""A model that is a Python class, as a subject."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

from asset.checks.subject import ParameterValue, Seen, Subject
from asset.engine.outcome import Executable
from asset.errors import Diagnostic
from asset.frontends import python
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.languages import ModelSpec
from asset.languages.unit_test import unit_test
from asset.model import Model, cells_of, in_state, shown
from asset.model.declared_formulas import AskedFormula
from asset.model.parameters import parameters_of
from asset.model.processes import processes_of, unreached


def load(spec: ModelSpec) -> PythonSubject:
    return PythonSubject(python.load(spec.file, spec.parameters))


@dataclass(frozen=True)
class PythonSubject(Subject):
    """Compiled; a model that is outside the compiled language can be run by CPython."""

    model: Model
    asked: tuple[AskedFormula, ...] = ()

    @cached_property
    def _program(self) -> Program:
        return python.compile_model(self.model, self.asked)

    def asking(self, formulas: Sequence[tuple[str, str]]) -> PythonSubject:
        more = (AskedFormula(source, text) for source, text in formulas)
        return PythonSubject(self.model, (*self.asked, *more))

    def executable(self) -> Executable:
        # A new one each time: an interpreter has the cells of the state that it is in, and threads must not share them.
        return Interpreter(self._program)

    def sources(self) -> set[str]:
        """Every module that is loaded, as any of them may be a part of the model; and what its methods come from, as
        not all code comes from a module."""
        files = {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
        methods = (member for cls in type(self.model).__mro__ for member in vars(cls).values())
        functions = (getattr(member, "function", member) for member in methods)
        return files | {each.__code__.co_filename for each in functions if isinstance(each, FunctionType)}

    def slow_executable(self) -> Executable:
        return python.PlainPython(self.model, self.asked)

    def seen(self, state: State) -> Seen:
        model = in_state(self.model, state)
        return Seen(model, shown(model))

    def cells(self, seen: Any) -> State:
        return cells_of(seen)

    def unit_test(self, commands: Sequence[int], start: int, holds: Mapping[str, bool]) -> str:
        return unit_test(self.model, self._program, commands, start, holds)

    def parameters(self) -> tuple[ParameterValue, ...]:
        kinds = parameters_of(type(self.model))
        values = self.model.parameters.items()
        return tuple(
            ParameterValue(name, str(getattr(value, "name", value)), kinds[name].takes) for name, value in values
        )

    def remarks(self) -> Iterator[Diagnostic]:
        for process in processes_of(type(self.model)):
            for span in unreached(self.model, process):
                yield Diagnostic("this yield is never reached", span, "remove it", "note")
