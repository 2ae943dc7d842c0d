"""Sources of successors: which commands are fired in a state, and where they lead.

All commands, or those of a stubborn set, by hand-written or by derived rules; as they are, or as representatives.
A command is *idle* in a state if it is enabled there and changes nothing. A state that no command can change is
terminal, unless idle steps count (`Task.idle_steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Protocol

from asset.engine.choice import Situation, begun, keys, stubborn_nodes
from asset.engine.effort import Effort
from asset.engine.flat_rules import nr_obligations
from asset.engine.outcome import During, Executable
from asset.engine.stubborn import candidates, closure
from asset.ir.derived import DerivedRules
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import State
from asset.ir.reductions import Reductions

Successor = tuple[int, State]
"""A command, and the state that it leads to."""


class Failed(Exception):
    """A model error. `command` is the one that is fired, whose rule is evaluated or that led to the state."""

    def __init__(self, during: During, command: int | None) -> None:
        self.during = during
        self.command = command


class Source(Protocol):
    @property
    def nr_enabled(self) -> int:
        """Of the state that was expanded last: how many commands are enabled, as far as that is known."""

    @property
    def terminal(self) -> bool:
        """Whether the state that was expanded last is terminal."""

    def successors(self, state: State) -> Iterator[Successor]:
        """What is fired in the state, in the order of firing. Raises Failed when it comes to a model error."""

    def enabled(self, state: State) -> dict[int, State]:
        """Every enabled command, fired by `successors` or not, and where it leads; last number first. Raises Failed."""

    def matters(self, command: int) -> bool:
        """Whether the command can influence what is asked."""

    def further(self, state: State, command: int | None) -> Iterator[Successor]:
        """What a stubborn set with this command fires in the state, last number first; everything, if it is None.
        Raises Failed."""

    def keys(self, state: State, fired: Collection[int]) -> Collection[int]:
        """Those of the commands fired in the state that nothing outside its set can disable. Raises Failed."""

    def left_visible(self, state: State, fired: Collection[int]) -> frozenset[int] | None:
        """If the set of a state in which these were fired leaves visible commands out: those that are enabled. None if
        it has them all. Raises Failed."""

    def start(self, state: State) -> State:
        """The state that a search from this one starts in. Raises Failed."""

    def end_level(self, states: int, enabled: int, fired: int, following: int) -> None:
        """So many states were expanded since the last call, with so many commands; `following` states are next."""


def source_of(executable: Executable, reductions: Reductions, idle_steps: bool = False) -> Source:
    """What the reductions leave of the executable's successors. `idle_steps` says that idle steps count."""
    source: Source
    if reductions.derived is not None:
        source = DerivedSets(executable, reductions.derived, idle_steps)
    elif reductions.hand_rules:
        source = HandWrittenSets(executable, idle_steps)
    else:
        source = AllCommands(executable, idle_steps)
    if reductions.group is not None:
        return Representatives(source, reductions.group.representative)
    return Representatives(source, executable.representative) if reductions.hand_symmetry else source


def is_terminal(executable: Executable, state: State) -> bool:
    """Whether no command can change the state. Raises Fault."""
    program = executable.program
    ends = (None,) if program.idle_steps else (None, state)
    return all(executable.fire(state, command) in ends for command in commands_to_try(executable, state))


def commands_to_try(executable: Executable, state: State) -> Iterator[int]:
    """All commands, the last number first, but for those that are known to be disabled in the state by then."""
    command = executable.program.nr_commands - 1
    while command >= 0:
        yield command
        first = executable.before_skipped(state, command) if isinstance(executable, Interpreter) else command
        command = first - 1


class AllCommands:
    """Every enabled command is fired, the last number first."""

    def __init__(self, executable: Executable, idle_steps: bool = False) -> None:
        self.executable = executable
        self.idle_steps = idle_steps
        self.nr_enabled = 0
        self.terminal = True

    def successors(self, state: State) -> Iterator[Successor]:
        self._begin()
        yield from self._successors(state, commands_to_try(self.executable, state))

    def _begin(self) -> None:
        self.nr_enabled = 0
        self.terminal = True

    def _successors(self, state: State, commands: Iterable[int]) -> Iterator[Successor]:
        """Where those of the commands lead that are enabled."""
        for command in commands:
            successor = self._fired(state, command)
            if successor is not None:
                self.nr_enabled += 1
                self.terminal &= successor == state and not self.idle_steps
                yield command, successor

    def enabled(self, state: State) -> dict[int, State]:
        fired = ((command, self._fired(state, command)) for command in commands_to_try(self.executable, state))
        return {command: after for command, after in fired if after is not None}

    def matters(self, command: int) -> bool:
        return True

    def further(self, state: State, command: int | None) -> Iterator[Successor]:
        enabled = {each: after for each, after in self.enabled(state).items() if self.matters(each)}
        wanted = frozenset(enabled) if command is None else self._closed(state, self._choices(state, enabled), command)
        yield from ((each, after) for each, after in enabled.items() if each in wanted)

    def keys(self, state: State, fired: Collection[int]) -> Collection[int]:
        return fired

    def left_visible(self, state: State, fired: Collection[int]) -> frozenset[int] | None:
        return None

    def start(self, state: State) -> State:
        return state

    def end_level(self, states: int, enabled: int, fired: int, following: int) -> None:
        pass

    def _choices(self, state: State, enabled: Mapping[int, State]) -> list[int]:
        """The commands that a set is chosen by: those that change the state."""
        return [command for command, after in enabled.items() if after != state]

    def _closed(self, state: State, enabled: Collection[int], command: int) -> frozenset[int]:
        """A stubborn set with the command."""
        return frozenset(enabled)

    def _fired(self, state: State, command: int) -> State | None:
        try:
            return self.executable.fire(state, command)
        except Fault:
            raise Failed(During.FIRING, command) from None

    @property
    def _nr_commands(self) -> int:
        return self.executable.program.nr_commands


class HandWrittenSets(AllCommands):
    """The enabled commands of the first component of obligations that has any (`asset.engine.stubborn`). If these are
    idle, those of further components, up to the first that has another: the union of closed sets is closed."""

    def successors(self, state: State) -> Iterator[Successor]:
        self._begin()
        for commands in candidates(lambda command: self._obligations(state, command), self._nr_commands):
            yield from self._successors(state, commands)
            if not self.terminal:
                return

    def _closed(self, state: State, enabled: Collection[int], command: int) -> frozenset[int]:
        return closure(lambda member: self._obligations(state, member), [command])

    def _obligations(self, state: State, command: int) -> tuple[int, ...]:
        try:
            return self.executable.obligations(state, command)
        except Fault:
            raise Failed(During.RULE, command) from None


class DerivedSets(AllCommands):
    """Those that `asset.engine.choice` chooses among all that are enabled. Which these are is found by firing them. If
    the rules know no idle steps, a command that changes nothing is not enabled."""

    def __init__(self, executable: Executable, rules: DerivedRules, idle_steps: bool = False) -> None:
        super().__init__(executable, idle_steps)
        self.rules = rules
        self.effort = Effort(nr_obligations(rules))
        self.conditions = Interpreter(executable.program)

    def successors(self, state: State) -> Iterator[Successor]:
        everything = self.enabled(state)
        self.nr_enabled = len(everything)
        self.terminal = all(after == state and not self.idle_steps for after in everything.values())
        enabled = {command: after for command, after in everything.items() if self.matters(command)}
        chosen = self._chosen(state, enabled)
        yield from ((command, after) for command, after in enabled.items() if command in chosen)

    def enabled(self, state: State) -> dict[int, State]:
        enabled = super().enabled(state)
        if self.rules.idle_steps:
            return enabled
        return {command: after for command, after in enabled.items() if after != state}

    def matters(self, command: int) -> bool:
        return self.rules.cone is None or command in self.rules.cone

    def end_level(self, states: int, enabled: int, fired: int, following: int) -> None:
        self.effort.end_level(states, enabled, fired, following)

    def keys(self, state: State, fired: Collection[int]) -> Collection[int]:
        """What a set was widened by is no key of it, unless everything is fired."""
        if not self.rules.keys:
            return fired
        enabled = {command: after for command, after in self.enabled(state).items() if self.matters(command)}
        if len(fired) == len(enabled):
            return fired
        chosen = stubborn_nodes(self.rules, self._situation(state, self._choices(state, enabled)))
        return keys(self.rules, chosen).intersection(fired)

    def left_visible(self, state: State, fired: Collection[int]) -> frozenset[int] | None:
        """A set with an enabled visible command has them all (V), and so has one of all that is enabled."""
        visible = self.rules.visible
        if not visible or not visible.isdisjoint(fired):
            return None
        enabled = self.enabled(state)
        if len(fired) == len(enabled) or visible <= stubborn_nodes(self.rules, self._situation(state, enabled)):
            return None
        return visible.intersection(enabled)

    def _chosen(self, state: State, enabled: Mapping[int, State]) -> Collection[int]:
        choices = self._choices(state, enabled)
        if len(choices) < 2 or not self.effort.reducing:
            return enabled
        return stubborn_nodes(self.rules, self._situation(state, choices))

    def _choices(self, state: State, enabled: Mapping[int, State]) -> list[int]:
        """Steps that change nothing are no reason to take a set, unless formulas are to be preserved: such a step is a
        run that stays for ever."""
        return super()._choices(state, enabled) if self.rules.visible is None else list(enabled)

    def _closed(self, state: State, enabled: Collection[int], command: int) -> frozenset[int]:
        return stubborn_nodes(self.rules, self._situation(state, enabled), command)

    def _situation(self, state: State, enabled: Collection[int]) -> Situation:
        holds = [self.conditions.holds(fact, state) for fact in self.rules.facts]
        return Situation(holds, enabled, begun(self.rules, state))


class Representatives:
    """The successors of another source, each replaced by its representative."""

    def __init__(self, source: Source, represent: Callable[[State], State]) -> None:
        self._source = source
        self._represent = represent
        self.end_level = source.end_level
        self.matters = source.matters

    @property
    def nr_enabled(self) -> int:
        return self._source.nr_enabled

    @property
    def terminal(self) -> bool:
        return self._source.terminal

    def successors(self, state: State) -> Iterator[Successor]:
        for command, successor in self._source.successors(state):
            yield command, self._representative(command, successor)

    def enabled(self, state: State) -> dict[int, State]:
        fired = self._source.enabled(state).items()
        return {command: self._representative(command, successor) for command, successor in fired}

    def further(self, state: State, command: int | None) -> Iterator[Successor]:
        for each, successor in self._source.further(state, command):
            yield each, self._representative(each, successor)

    def keys(self, state: State, fired: Collection[int]) -> Collection[int]:
        return self._source.keys(state, fired)

    def left_visible(self, state: State, fired: Collection[int]) -> frozenset[int] | None:
        return self._source.left_visible(state, fired)

    def start(self, state: State) -> State:
        return self._representative(None, state)

    def _representative(self, command: int | None, state: State) -> State:
        try:
            return self._represent(state)
        except Fault:
            raise Failed(During.REPRESENTATIVE, command) from None
