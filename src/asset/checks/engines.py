"""The engine that the options ask for, ready to explore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asset.checks.options import CheckOptions
from asset.engine.outcome import Executable, Explorer, Limits, Observer, Outcome, Task
from asset.ir.program import Program

if TYPE_CHECKING:
    from asset.engine.native import NativeModel
    from asset.ir.derived import DerivedRules
    from asset.ir.groups import Group


class Engine:
    """Explores programs; machine code is made when a program is first seen. Where stubborn=auto, `derived` are the
    rules to be used where a task asks for stubborn sets; where symmetry=auto, representatives are by the `group`."""

    def __init__(
        self,
        options: CheckOptions,
        observer: Observer | None = None,
        derived: DerivedRules | None = None,
        group: Group | None = None,
    ) -> None:
        self.options = options
        self.derived = derived
        self.group = group
        self.limits = Limits(options.max_states, options.max_memory, options.threads)
        self.observer = observer
        self._machine: tuple[Program, NativeModel] | None = None

    def prepare(self, program: Program) -> None:
        """Afterwards exploring the program takes no time to compile it."""
        if self.options.engine == "native" and program.functions:
            self._machine_of(program)

    def explore(self, executable: Executable, task: Task) -> Outcome:
        # Imported here: each engine takes a while to load, and one of them is needed.
        if self.options.engine == "reference":
            from asset.engine import reference

            return reference.explore(executable, task, self.limits, self.observer)
        if isinstance(executable, Explorer):
            return executable.explore(task, self.limits, self.observer)
        from asset.engine import native

        return native.explore(self._machine_of(executable.program), task, self.limits, self.observer)

    def _machine_of(self, program: Program) -> NativeModel:
        if self._machine is None or self._machine[0] is not program:
            from asset import codegen

            stubborn, symmetry = self.options.stubborn == "hand", self.options.symmetry != "off"
            facts = None if self.derived is None else self.derived.facts
            self._machine = (program, codegen.compile(program, stubborn, symmetry, facts, self.group))
        return self._machine[1]
