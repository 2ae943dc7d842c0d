"""Writes LLVM IR as text: several times faster than building it from objects, and it can be read as it is written.

Variables that change live in stack slots; LLVM turns them into registers. So no code here deals with SSA form.
"""

from __future__ import annotations

# Defined once in the module. Branches with these weights are almost never taken. Functions with these attributes are
# not turned into calls of memcpy and the like: the code refers to nothing outside itself.
UNLIKELY = "!prof !0"
DEFINITIONS = """
!0 = !{!"branch_weights", i32 1, i32 1000000}
attributes #0 = { nounwind "no-builtins" }
"""


class Builder:
    """The body of one LLVM function. Operands are strings: a register, or a number."""

    def __init__(self) -> None:
        self._slots: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self.terminated = False
        """Whether the current block has ended; nothing may be written then before the next `begin`."""

    def name(self, hint: str) -> str:
        self._count += 1
        return f"{hint}{self._count}"

    def slot(self, kind: str = "i64") -> str:
        """A new variable on the stack."""
        name = "%" + self.name("v")
        self._slots.append(f"  {name} = alloca {kind}")
        return name

    def do(self, instruction: str) -> None:
        self._lines.append(f"  {instruction}")

    def let(self, instruction: str) -> str:
        """Writes an instruction; the register with its result."""
        register = "%" + self.name("t")
        self._lines.append(f"  {register} = {instruction}")
        return register

    def load(self, pointer: str, kind: str = "i64") -> str:
        return self.let(f"load {kind}, ptr {pointer}")

    def store(self, value: str, pointer: str, kind: str = "i64") -> None:
        self.do(f"store {kind} {value}, ptr {pointer}")

    def element(self, pointer: str, index: str | int, kind: str = "i64") -> str:
        """The address of an element of an array."""
        return self.let(f"getelementptr inbounds {kind}, ptr {pointer}, i64 {index}")

    def begin(self, label: str) -> None:
        """Starts the block; the one before falls through to it unless it has ended."""
        if not self.terminated:
            self.jump(label)
        self._lines.append(f"{label}:")
        self.terminated = False

    def jump(self, label: str) -> None:
        self.do(f"br label %{label}")
        self.terminated = True

    def fork(self, condition: str, yes: str, no: str) -> None:
        self.do(f"br i1 {condition}, label %{yes}, label %{no}")
        self.terminated = True

    def leave_if(self, condition: str, label: str) -> None:
        """Jumps away if the condition, which is almost never true, is true; goes on in a new block."""
        onward = self.name("b")
        self.do(f"br i1 {condition}, label %{label}, label %{onward}, {UNLIKELY}")
        self.terminated = True
        self.begin(onward)

    def end(self, instruction: str) -> None:
        """Writes the instruction that ends the current block."""
        self.do(instruction)
        self.terminated = True

    def text(self) -> str:
        return "\n".join(["entry:", *self._slots, *self._lines])


LINE = 64
"""Bytes of a line of the processor's cache. Arrays begin where a line does, so that their rows lie in few lines."""


class ConstantArrays:
    """Constant arrays of the module, each kept once."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, tuple[int, ...]], str] = {}

    def array(self, values: tuple[int, ...], kind: str = "i64") -> str:
        """The name of an array of these values."""
        return self._names.setdefault((kind, values), f"@table{len(self._names)}")

    def definitions(self) -> list[str]:
        return [
            f"{name} = private unnamed_addr constant [{len(values)} x {kind}] "
            f"[{', '.join(f'{kind} {value}' for value in values)}], align {LINE}"
            for (kind, values), name in self._names.items()
        ]


def least_type(highest: int) -> str:
    """The narrowest integer type of memory that holds 0 to `highest`."""
    return next(f"i{bits}" for bits in (8, 16, 32, 64) if highest < 1 << bits)
