"""The engine that the options ask for, ready to explore."""

from __future__ import annotations

import ctypes
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from asset.checks.options import CheckOptions
from asset.engine.outcome import Executable, Explorer, Limits, OnProgress, Outcome, Task
from asset.ir.program import Program
from asset.ir.reductions import Reductions

if TYPE_CHECKING:
    from asset.engine.native import NativeModel


class Engine:
    """Explores a program. Its machine code is made once, for the reductions: tasks may use all of them, or fewer.
    If the program has marks, it sets the byte in `marks` for each that it reaches."""

    def __init__(
        self,
        options: CheckOptions,
        reductions: Reductions,
        on_progress: OnProgress | None = None,
        marks: ctypes.Array[ctypes.c_uint8] | None = None,
    ) -> None:
        self.reductions = reductions
        self._marks = marks
        self.limits = Limits(options.max_states, options.max_memory, options.threads)
        self.on_progress = on_progress
        self._reference = options.engine == "reference"
        self._machine: NativeModel | None = None

    def prepare(self, program: Program) -> None:
        """Afterwards exploring the program takes no time to compile it."""
        if not self._reference and program.functions:
            self._machine_of(program)

    def up_to(self, max_states: int) -> Engine:
        """The same engine, with the same machine code, that gives up at so many states."""
        limited = copy(self)
        limited.limits = replace(self.limits, max_states=max_states)
        return limited

    def using(self, reductions: Reductions) -> Engine:
        """The same engine, with fewer of its reductions."""
        other = copy(self)
        other.reductions = reductions
        return other

    def explore(self, executable: Executable, task: Task) -> Outcome:
        # Imported here: each engine takes a while to load, and one of them is needed.
        if self._reference:
            from asset.engine import reference

            return reference.explore(executable, task, self.limits, self.on_progress)
        if isinstance(executable, Explorer):
            return executable.explore(task, self.limits, self.on_progress)
        from asset.engine import native

        return native.explore(self._machine_of(executable.program), task, self.limits, self.on_progress)

    def _machine_of(self, program: Program) -> NativeModel:
        if self._machine is None:
            from asset import codegen

            if self._marks is None:
                self._machine = codegen.compile(program, self.reductions)
            else:
                self._machine = codegen.compile_marked(program, self._marks)
        return self._machine
