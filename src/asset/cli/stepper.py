"""`asset step`: a person at a prompt chooses what happens next; the answers may also come from a pipe."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from asset.analysis.processes.ownership import Processes, find_processes
from asset.checks.showing import state
from asset.checks.shown_states import ShownState
from asset.checks.subject import Subject, runnable
from asset.checks.waiting import MOST_COMMANDS, Waits
from asset.cli.walk import choices, complaints, ends, named
from asset.errors import AssetError
from asset.ir.faults import Fault
from asset.ir.program import Program, State
from asset.report import figures
from asset.report.counterexample import remarks
from asset.report.document import Line, Piece, Role, cells, line, one_line, packed, padded
from asset.report.stillness import sentences, wanted
from asset.report.table import changed, source, state_lines
from asset.report.text import headline

if TYPE_CHECKING:
    from asset.checks import CheckOptions
    from asset.verdict import Verdict

PROMPT = "> "

_SMALL = 12  # lines; a larger state is shown only if the user asks for it

_LISTED = 40  # initial states

_HELP = (
    ("NUMBER", "fire the transition of that number, or of that name, like request(2)"),
    ("r", "fire a random one"),
    ("u", "undo: one step back along the run; p is the same"),
    ("n", "one step forward along the run, after going back"),
    ("g NUMBER", "go to that step of the run; g 0 is the initial state"),
    ("i NUMBER", "begin in that initial state, if there are several; i lists them"),
    ("c", "check the model, and go to the beginning of the counterexample: n follows it"),
    ("w", "why not: each transition that is disabled here, with what it waits for"),
    ("s", "show the state in full"),
    ("h", "show this"),
    ("q", "quit"),
)

Ask = Callable[[], str | None]
"""The next line that the user gives, or None if there is none."""
Tell = Callable[[Iterable[Line]], None]
CheckSubject = Callable[[Subject, "CheckOptions"], "Verdict"]


class Stepper:
    """A run that the user makes, and a place in it. A model error is shown, and changes nothing."""

    def __init__(self, subject: Subject, seed: int | None, check: CheckSubject, tell: Tell) -> None:
        self._subject = subject
        self._runnable = runnable(subject)
        self._executable = self._runnable.executable
        self._program: Program = self._executable.program
        self._numbers = {self._program.command_name(c): c for c in range(self._program.nr_commands)}
        self._rng = random.Random(seed)
        self._check = check
        self._tell = tell
        self._path: list[tuple[int | None, State]] = [(None, self._program.initial)]
        self._at = 0
        self._remarks: dict[int, tuple[str, ...]] = {}

    @property
    def state(self) -> State:
        return self._path[self._at][1]

    def run(self, ask: Ask) -> None:
        """Does what the user says, until the user quits or the input ends."""
        self._tell([line(Piece(named(self._program), Role.STRONG), " — h lists what can be done")])
        self._show()
        while (words := ask()) is not None and words.strip() not in ("q", "quit"):
            self._obey(words.strip())

    # --- what the user can say ----------------------------------------------------------------------------------

    def _obey(self, words: str) -> None:
        simple: dict[str, Callable[[], None]] = {
            "": self._show,
            "r": self._fire_random,
            "u": lambda: self._go(self._at - 1),
            "p": lambda: self._go(self._at - 1),
            "n": lambda: self._go(self._at + 1),
            "c": self._jump_into_counterexample,
            "w": lambda: self._tell(self._why_not()),
            "s": lambda: self._tell(self._full()),
            "h": lambda: self._tell(_help()),
        }
        word, _, argument = words.partition(" ")
        if words in simple:
            simple[words]()
        elif word == "g" and argument.strip().isdecimal():
            self._go(int(argument))
        elif word == "i" and (not argument or argument.strip().isdecimal()):
            self._begin(int(argument)) if argument else self._list_starts()
        elif words.isdecimal() and int(words) < self._program.nr_commands:
            self._fire(int(words))
        elif words in self._numbers:
            self._fire(self._numbers[words])
        elif words.isdecimal():
            self._say(f"there is no transition {words}: the last one is {self._program.nr_commands - 1}")
        else:
            self._say(f"{words!r} is not understood; h lists what can be done")

    def _fire(self, command: int) -> None:
        name = self._program.command_name(command)
        try:
            successor = self._executable.fire(self.state, command)
        except Fault as fault:
            self._say(f"{fault.word} in {name}: {one_line(fault.message)} ({source(fault.span)})")
            return
        if successor is None:
            self._say(f"{name} is disabled here")
            return
        del self._path[self._at + 1 :]
        self._remarks = {at: said for at, said in self._remarks.items() if at <= self._at}
        self._path.append((command, successor))
        self._go(self._at + 1)

    def _begin(self, number: int) -> None:
        """The run begins anew, in the initial state of that number."""
        starts = self._program.initial_states
        if number >= len(starts):
            self._say(f"there is no initial state {number}: the last one is {len(starts) - 1}")
            return
        self._path, self._remarks = [(None, starts[number])], {}
        self._go(0)

    def _list_starts(self) -> None:
        """The initial states, each by what it has other than the first."""
        starts = self._program.initial_states
        first = ShownState.of(self._program, starts[0])
        for number, start in enumerate(starts[:_LISTED]):
            different = ", ".join(f"{c.cell} = {c.after}" for c in first.then(start)[1]) or "the first one"
            self._tell([line(Piece(f"  {number}  ", Role.FAINT), different)])
        if len(starts) > _LISTED:
            self._say(f"  … and {len(starts) - _LISTED:,} more")

    def _fire_random(self) -> None:
        enabled = list(choices(self._executable, self.state))
        if enabled:
            self._fire(self._rng.choice(enabled))
        else:
            self._say("no transition is enabled here")

    def _go(self, at: int) -> None:
        if not 0 <= at < len(self._path):
            self._say("this is the initial state" if at < 0 else f"the run has no step {at}")
            return
        self._at = at
        self._show()

    def _jump_into_counterexample(self) -> None:
        from asset.checks import CheckOptions

        try:
            verdict = self._check(self._subject, CheckOptions(engine=self._runnable.engine))
        except AssetError as error:
            self._say(str(error))
            return
        self._say(headline(verdict))
        if verdict.counterexample is not None:
            self._follow(verdict)

    def _follow(self, verdict: Verdict) -> None:
        """The counterexample is the run now, with what there is to say of its states."""
        run = verdict.counterexample
        assert run is not None
        numbers = (None if step.transition is None else self._numbers[step.transition] for step in run.steps)
        self._path = [(number, self._subject.cells(seen)) for number, seen in zip(numbers, run, strict=True)]
        said = {at: tuple(remark.text for remark in each) for at, each in remarks(run, verdict.violation).items()}
        if run.cycle_starts_at is not None:
            said[run.cycle_starts_at] = (*said.get(run.cycle_starts_at, ()), "the cycle begins here")
        self._remarks = said
        self._say(f"n follows the counterexample: {figures.count(len(run) - 1, 'step')}")
        self._go(0)

    # --- what the user sees -------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._tell(line(part) for part in text.split("\n"))

    def _show(self) -> None:
        enabled = choices(self._executable, self.state)
        full = list(self._full())
        lines = [self._title(), *(full if len(full) <= _SMALL else [])]
        lines += [line("  ", Piece(f"── {text} ──", Role.UNSURE)) for text in self._notes()]
        wrong = complaints(self._executable, self.state, ends(self._executable, self.state, enabled))
        lines += [line("  ", Piece(f"✗ {text}", Role.BAD)) for text in wrong]
        lines += self._listed(enabled) if enabled else self._stuck()
        self._tell(lines)

    def _stuck(self) -> Iterator[Line]:
        """Nothing is enabled: who waits for what."""
        yield line("  no transition is enabled: the run ends here")
        yield from (line("    ", text) for text in sentences(self._waits().at_the_end()))

    def _why_not(self) -> Iterator[Line]:
        """The disabled transitions, each with the part of its guard that is false."""
        program, told = self._program, False
        for command in range(min(program.nr_commands, MOST_COMMANDS) if program.functions else 0):
            waiting = self._waits().of_command(command, self._at)
            if waiting is not None:
                told = True
                yield line("  ", Piece(f"{waiting.transition}  ", Role.NAME), wanted(waiting))
        if not told:
            yield line("  nothing is disabled here" if program.functions else "  the code of this model cannot be seen")

    def _waits(self) -> Waits:
        return Waits(self._program, self._processes, tuple(self._path[: self._at + 1]))

    @cached_property
    def _processes(self) -> Processes:
        return find_processes(self._program)

    def _title(self) -> Line:
        command = self._path[self._at][0]
        if command is None:
            starts = self._program.initial_states
            several = len(starts) > 1 and self.state in starts
            which = f" {starts.index(self.state)} of {len(starts):,}: i lists them" if several else ""
            return line(Piece("step 0", Role.STRONG), f"  initial state{which}")
        before = ShownState.of(self._program, self._path[self._at - 1][1])
        changes = ", ".join(map(changed, before.then(self.state)[1]))
        name = Piece(self._program.command_name(command), Role.NAME)
        return line(Piece(f"step {self._at}", Role.STRONG), "  ", name, f"  {changes or 'nothing changes'}")

    def _full(self) -> Iterator[Line]:
        seen = state(self._program, self._subject, self.state)
        return (line("    ", text) for text in state_lines(seen, 96, folds=False))

    def _notes(self) -> Iterator[str]:
        yield from self._remarks.get(self._at, ())
        earlier = next(at for at, (_, state) in enumerate(self._path) if state == self.state)
        if earlier < self._at:
            yield f"the state of step {earlier} again"

    def _listed(self, enabled: dict[int, State | Fault]) -> Iterator[Line]:
        """The enabled transitions with their numbers, what each would change, and how."""
        names = {command: self._program.command_name(command) for command in enabled}
        widest = max(map(cells, names.values()))
        digits = len(str(max(enabled)))
        shown = ShownState.of(self._program, self.state)
        for command, successor in enabled.items():
            head = (Piece(f"  {command:>{digits}}  ", Role.FAINT), Piece(padded(names[command], widest), Role.NAME))
            if isinstance(successor, Fault):
                yield line(*head, "  ", Piece(f"{successor.word}: {one_line(successor.message)}", Role.BAD))
                continue
            changes = [changed(each) for each in shown.then(successor)[1]] or ["nothing changes"]
            doing = self._subject.doing(self.state, command)
            first, *rest = packed([*changes, *([f"by {doing}"] if doing else [])], max(24, 96 - digits - widest))
            yield line(*head, "  ", first)
            yield from (line(" " * (digits + widest + 6), text) for text in rest)


def _help() -> Iterator[Line]:
    widest = max(len(word) for word, _ in _HELP)
    return (line("  ", Piece(f"{word:<{widest}}", Role.NAME), f"  {what}") for word, what in _HELP)


def ask_terminal() -> str | None:
    """What the user types at the prompt; None at its end (Ctrl-D) or at Ctrl-C."""
    with suppress(ImportError):  # not every Python has it
        import readline  # noqa: F401 (gives `input` a line to edit, and what was typed before)
    try:
        return input(PROMPT)
    except (EOFError, KeyboardInterrupt):
        print()
        return None


def ask_pipe() -> str | None:
    """The next line of standard input, which is repeated, so that the output reads like a session."""
    words = sys.stdin.readline()
    if not words:
        return None
    print(f"{PROMPT}{words.rstrip()}")
    return words
