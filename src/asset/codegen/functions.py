"""Functions of the model, the bodies of its commands, and their rules.

A function gives back its status (DONE, DISABLED or minus the code of a fault), its value and, if the state is in
registers and the function may change it, the state's words. A command is a function of its own, because it ends
differently: its status says whether it fired. So is a rule: it lists commands, and its value is their number.
"""

from __future__ import annotations

from collections import Counter

from asset.codegen.builder import Builder
from asset.codegen.cell_access import InMemory, InRegisters, Store
from asset.codegen.expressions import DISABLED, DONE, FunctionFrame
from asset.codegen.rules import PARAMETERS, Listing
from asset.codegen.statements import Statements
from asset.codegen.unit import Unit
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Family, Function, Program, Style

NO_WORK = "0"


class _FunctionWriter:
    """Writes one function: entry, body, and a single exit to which everything leads."""

    linkage = "private"

    def __init__(self, unit: Unit, number: int) -> None:
        self.unit = unit
        self.number = number
        self.function: Function = unit.program.functions[number]
        self.b = Builder()
        self._endings: dict[str, int] = {}  # blocks that only set the status: their labels and the status
        self.store = self._open_store()
        self.status, self.value = self.b.slot("i32"), self.b.slot()
        self.frame = FunctionFrame(
            unit,
            self.b,
            self.store,
            self._open_before(),
            self._locals(),
            self.status,
            "exit",
            self._fault,
            lambda: self._ending(DISABLED),
            self._work(),
        )

    def text(self, name: str, attributes: str) -> str:
        self.b.store("0", self.value)
        self._statements().block(self.function.body)
        if not self.b.terminated:
            self._finish("0")
        for label, status in self._endings.items():
            self.b.begin(label)
            if status == DISABLED:
                self._disabled()
            self._set_status(str(status))
        self._exit()
        kind, parameters = self.unit.result_type(self.number), ", ".join(self._parameters())
        return f"define {self.linkage} {kind} @{name}({parameters}) #0 {attributes} {{\n{self.b.text()}\n}}\n"

    def _statements(self) -> Statements:
        return Statements(self.frame, self._finish)

    # --- entry --------------------------------------------------------------------------------------------------

    def _open_store(self) -> Store:
        if self.unit.in_registers:
            return InRegisters(self.b, [f"%word{word}" for word in self.unit.words])
        return self._open_memory()

    def _open_memory(self) -> InMemory:
        return InMemory(self.b, self.unit.layout.words, "%state")

    def _open_before(self) -> Store:
        """The state at entry, which is changed by nobody."""
        if not any(isinstance(node, n.Read) and node.before for node in self.function.nodes):
            return self.store
        if self.unit.in_registers:
            return InRegisters(self.b, [f"%word{word}" for word in self.unit.words])
        return InMemory(self.b, self.unit.layout.words, "%state")

    def _locals(self) -> list[str]:
        slots = [self.b.slot() for _ in self.function.slots]
        for number in range(self.function.parameters):
            self.b.store(f"%arg{number}", slots[number])
        return slots

    def _work(self) -> str:
        if self.number not in self.unit.counting:
            return ""
        work = self.b.slot()
        self.b.store(self._first_work(), work)
        return work

    def _first_work(self) -> str:
        """The work that loops have done before this function is called."""
        return "%work_done"

    def _parameters(self) -> list[str]:
        args = [f"i64 %arg{number}" for number in range(self.function.parameters)]
        if self._first_work() != NO_WORK:
            args += self.unit.work_argument(self.number, self._first_work())
        if self.unit.in_registers:
            return [f"i64 %word{word}" for word in self.unit.words] + args
        return self._memory_parameters() + args

    def _memory_parameters(self) -> list[str]:
        return ["ptr %state"]

    # --- endings ------------------------------------------------------------------------------------------------

    def _fault(self, kind: FaultKind) -> str:
        return self._ending(-kind)

    def _ending(self, status: int) -> str:
        label = f"fault{-status}" if status < 0 else "disabled"
        self._endings[label] = status
        return label

    def _disabled(self) -> None:
        """Writes what is to be noted if a `when` is false."""

    def _set_status(self, status: str) -> None:
        self.b.store(status, self.status, "i32")
        self.b.jump("exit")

    def _finish(self, value: str) -> None:
        """Ends the function with a value."""
        self.b.store(value, self.value)
        self._set_status(str(DONE))

    def _exit(self) -> None:
        kind = self.unit.result_type(self.number)
        self.b.begin("exit")
        parts = [f"i32 {self.b.load(self.status, 'i32')}", f"i64 {self.b.load(self.value)}"]
        if isinstance(self.store, InRegisters) and self.number in self.unit.writers:
            parts += [f"i64 {self.store.load(word)}" for word in self.unit.words]
        if self.frame.work:
            parts.append(f"i64 {self.b.load(self.frame.work)}")
        result = "poison"
        for number, part in enumerate(parts):
            result = self.b.let(f"insertvalue {kind} {result}, {part}, {number}")
        self.b.end(f"ret {kind} {result}")


class _CommandWriter(_FunctionWriter):
    """Writes the body of a family's commands. A state in memory is copied to `%work` before it is changed."""

    def __init__(self, unit: Unit, family: Family) -> None:
        super().__init__(unit, family.function)
        self.style = family.style
        self.skips = family.skips
        self.linkage = unit.linkage

    def _open_memory(self) -> InMemory:
        return InMemory(self.b, self.unit.layout.words, "%state", "%work")

    def _memory_parameters(self) -> list[str]:
        return ["ptr %state", "ptr %work"]

    def _first_work(self) -> str:
        return NO_WORK

    def _disabled(self) -> None:
        """The value of a disabled command is how many commands before it need not be tried."""
        if self.skips is not None:
            self.b.store(self.b.load(self.frame.locals[self.skips]), self.value)

    def _finish(self, value: str) -> None:
        """Ends with the status that the value and the style of the family give."""
        if self.style is Style.FIRE:
            self._finish_fire(value)
        else:
            self.store.own()
            self._set_status(str(DONE))

    def _finish_fire(self, value: str) -> None:
        """Fired if the value is not 0; else the state must be as it was."""
        fired, not_fired = self.b.name("fired"), self.b.name("idle")
        self.b.fork(self.b.let(f"icmp ne i64 {value}, 0"), fired, not_fired)
        before = self.store.mark()
        self.b.begin(fired)
        self.store.own()
        self._set_status(str(DONE))
        self.store.reset(before)
        self.b.begin(not_fired)
        changed = self._changed()
        if changed is not None:
            self.b.leave_if(changed, self._fault(FaultKind.CHANGED))
        self._set_status(str(DISABLED))

    def _changed(self) -> str | None:
        """Whether the state differs from what it was at entry; None if it certainly does not."""
        match self.store:
            case InRegisters():
                changed = "false"
                for word in self.unit.words:
                    differs = self.b.let(f"icmp ne i64 {self.store.load(word)}, %word{word}")
                    changed = self.b.let(f"or i1 {changed}, {differs}")
                return changed
            case InMemory(owned=True):
                return self.b.let("call i1 @differ(ptr %state, ptr %work)")
        return None


class _RuleWriter(_FunctionWriter):
    """Writes a rule: its value is how many commands it lists."""

    def _statements(self) -> Statements:
        return Statements(self.frame, self._finish, Listing(self.b, self.value))

    def _parameters(self) -> list[str]:
        return [*super()._parameters(), PARAMETERS]

    def _first_work(self) -> str:
        return NO_WORK

    def _finish(self, value: str) -> None:
        """Ends the rule; what it returns means nothing."""
        self._set_status(str(DONE))


# Functions with at most so many nodes, with what is inlined in them, are inlined wherever they are called.
INLINED_NODES = 80


def write_functions(unit: Unit) -> list[str]:
    """Every function that is called, evaluates a property or finds the representative, as @function<number>; every
    family as @command<number> and, if it has a rule, @rule<number>. Commands are inlined unless
    the program is large, rules always, functions if they are small or used once."""
    program = unit.program
    uses: Counter[int] = Counter(predicate.function for predicate in program.predicates)
    for of_step in program.step_predicates:
        uses.update((of_step.function, *of_step.values))
    if program.representative is not None:
        uses[program.representative] += 1
    for code in (unit.facts, *(function.body for function in program.functions)):
        uses.update(node.function for node in n.walk(*code) if isinstance(node, n.Call))
    inlined = _inlined(program, uses)
    called = [
        _FunctionWriter(unit, number).text(f"function{number}", "alwaysinline" if number in inlined else "")
        for number in sorted(uses)
    ]
    inlining = "noinline" if unit.large else "alwaysinline"
    commands = [_CommandWriter(unit, family).text(f"command{number}", inlining) for number, family in unit.families]
    rules = [
        _RuleWriter(unit, family.rule).text(f"rule{number}", "alwaysinline")
        for number, family in unit.families
        if family.rule is not None
    ]
    return called + commands + rules


def _inlined(program: Program, uses: Counter[int]) -> set[int]:
    """The functions to inline. Sizes include what is inlined, so that code cannot grow without bound."""
    sizes: dict[int, int] = {}
    inlined: set[int] = set()

    def measure(number: int) -> int:
        if number not in sizes:
            nodes = list(program.functions[number].nodes)
            callees = [(node.function, measure(node.function)) for node in nodes if isinstance(node, n.Call)]
            sizes[number] = len(nodes) + sum(size for callee, size in callees if callee in inlined)
            if uses[number] == 1 or sizes[number] <= INLINED_NODES:
                inlined.add(number)
        return sizes[number]

    for number in uses:
        measure(number)
    return inlined
