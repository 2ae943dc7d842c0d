"""The engine that the options ask for, ready to explore."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from asset.checks.options import CheckOptions
from asset.cluster.wanted import Wanted
from asset.engine.omissions import Approximate
from asset.engine.outcome import Asking, Executable, Explorer, Limits, OnProgress, Outcome, Sampling, Task
from asset.ir.program import Program
from asset.ir.reductions import Reductions
from asset.ir.requirements import Requirement, command_sets, step_predicates

if TYPE_CHECKING:
    from asset.checks.checkpointing import Checkpointing
    from asset.cluster.answering import Together
    from asset.codegen import CompiledModel


class Engine:
    """Explores a program. Its machine code is made once, for the reductions: tasks may use all of them, or fewer.
    `made` makes it in another way, for checks that ask what it does: without reductions. With `profile`, outcomes say
    where the time went."""

    def __init__(
        self,
        options: CheckOptions,
        reductions: Reductions,
        on_progress: OnProgress | None = None,
        made: Callable[[Program], CompiledModel] | None = None,
    ) -> None:
        self.reductions = reductions
        self._made = made
        self._profile = options.profile
        how = Approximate(options.store or "", options.expect) if options.approximate else None
        kept = None if options.approximate else options.store
        self.limits = Limits(options.max_states, options.max_memory, options.threads, how, kept, options.spill)
        self._fair = options.fair is not None
        self.on_progress = on_progress
        self._reference = options.engine == "reference"
        self._machine: CompiledModel | None = None
        self.checkpointing: Checkpointing | None = None
        self._wanted = options.cluster and Wanted(options.cluster, options.ranks, options.address)
        self._kept = options.checkpoint and (options.checkpoint, options.resume)
        self._together: list[Together] = []  # none or one; shared with copies of this object

    def __enter__(self) -> None:
        """Inside, what was started for it is there."""

    def __exit__(self, kind: type[BaseException] | None, *failure: object) -> None:
        while self._together:
            cluster = self._together.pop().cluster
            if kind is not None:
                cluster.abandon(f"the check has ended ({kind.__name__})")
            cluster.close()

    def prepare(self, program: Program) -> None:
        """Afterwards exploring the program takes no time to compile it."""
        if not self._reference and program.functions:
            self._machine_of(program)

    @property
    def is_cluster(self) -> bool:
        return bool(self._wanted)

    @property
    def goes_on_later(self) -> bool:
        """Whether a search that ends for want of memory can be gone on with where there is more."""
        return self.checkpointing is not None or bool(self._kept)

    def up_to(self, max_states: int) -> Engine:
        """The same engine, with the same machine code, that gives up at so many states."""
        limited = copy(self)
        limited.limits = replace(self.limits, max_states=max_states)
        return limited

    def asking(self, asking: Asking) -> Engine:
        """The same engine, which asks whether its searches go on."""
        other = copy(self)
        other.limits = replace(self.limits, asking=asking)
        return other

    def using(self, reductions: Reductions) -> Engine:
        """The same engine, with fewer of its reductions."""
        other = copy(self)
        other.reductions = reductions
        return other

    def made_for(self, reductions: Reductions) -> Engine:
        """The same engine, with machine code of its own for other reductions."""
        other = self.using(reductions)
        other._machine = None
        return other

    def explore(self, executable: Executable, task: Task) -> Outcome:
        if self.checkpointing is None:
            return self._explore(executable, task, self.limits)
        code = None if isinstance(executable, Explorer) else self._description(executable.program)
        return self.checkpointing.explored(
            task, self.limits, code, lambda limits: self._explore(executable, task, limits)
        )

    def _description(self, program: Program) -> object:
        """What the engine's states mean, on any machine."""
        from asset.codegen.description import description

        return description(program, ()).partition(b"\n")[2], tuple(self._machine_of(program).places)

    def _explore(self, executable: Executable, task: Task, limits: Limits) -> Outcome:
        # Imported here: each engine takes a while to load, and one of them is needed.
        if self._reference:
            from asset.engine import reference

            return reference.explore(executable, task, limits, self.on_progress)
        if self._wanted:
            return self._explored_together(self._wanted, executable.program, task)
        if isinstance(executable, Explorer):
            return executable.explore(task, limits, self.on_progress)
        from asset.engine import native

        task = replace(task, profile=self._profile)
        return native.explore(self._machine_of(executable.program), task, limits, self.on_progress)

    def _explored_together(self, wanted: Wanted, program: Program, task: Task) -> Outcome:
        from asset.cluster import answering, starting

        if not self._together:
            kept = answering.KeptIn(*self._kept) if self._kept else None
            self._together.append(answering.Together(starting.started(wanted), self.on_progress, kept))
        return self._together[0].explore(self._machine_of(program), task, self.limits)

    def simulate(self, executable: Executable, task: Task, sampling: Sampling) -> Outcome:
        """Random runs; the reductions are not used."""
        if self._reference:
            from asset.engine import simulation

            return simulation.simulate(executable, task, sampling, self.on_progress)
        if isinstance(executable, Explorer):
            return executable.simulate(task, sampling, self.limits.threads, self.on_progress)
        from asset.codegen.compiled import compile_named
        from asset.engine import native

        machine = compile_named(executable.program)
        return native.simulate(machine, task, sampling, self.limits.threads, self.on_progress)

    def _machine_of(self, program: Program) -> CompiledModel:
        if self._machine is None:
            if self._made is not None:
                self._machine = self._made(program)
            else:
                from asset import codegen

                named = self._fair or any(map(_speaks_of_commands, program.requirements))
                soon = not self._wanted  # ranks, which are other processes, do not hear of better code
                self._machine = codegen.compile(program, self.reductions, named=named, soon=soon)
        return self._machine


def _speaks_of_commands(requirement: Requirement) -> bool:
    """Whether deciding it asks which command leads along an edge."""
    return bool(command_sets(requirement) or step_predicates(requirement))
