"""Names in SMV: of cells, of values, of commands. They say what they stand for, and comments map them back."""

from __future__ import annotations

import re

from asset.ir.program import Program
from asset.ir.types import BoolType, EnumType, IntType

_KEYWORDS = frozenset(
    [
        "MODULE",
        "DEFINE",
        "CONSTANTS",
        "VAR",
        "IVAR",
        "FROZENVAR",
        "INIT",
        "TRANS",
        "INVAR",
        "SPEC",
        "CTLSPEC",
        "LTLSPEC",
        "PSLSPEC",
        "COMPUTE",
        "NAME",
        "INVARSPEC",
        "FAIRNESS",
        "JUSTICE",
        "COMPASSION",
        "ISA",
        "ASSIGN",
        "CONSTRAINT",
        "SIMPWFF",
        "CTLWFF",
        "LTLWFF",
        "PSLWFF",
        "COMPWFF",
        "IN",
        "MIN",
        "MAX",
        "MIRROR",
        "PRED",
        "PREDICATES",
        "process",
        "array",
        "of",
        "boolean",
        "integer",
        "real",
        "word",
        "word1",
        "bool",
        "signed",
        "unsigned",
        "extend",
        "resize",
        "sizeof",
        "uwconst",
        "swconst",
        "EX",
        "AX",
        "EF",
        "AF",
        "EG",
        "AG",
        "E",
        "F",
        "O",
        "G",
        "H",
        "X",
        "Y",
        "Z",
        "A",
        "U",
        "S",
        "V",
        "T",
        "BU",
        "EBF",
        "ABF",
        "EBG",
        "ABG",
        "case",
        "esac",
        "mod",
        "next",
        "init",
        "union",
        "in",
        "xor",
        "xnor",
        "self",
        "TRUE",
        "FALSE",
        "count",
        "command",
        "stay",
        "error",
    ]
)


class Names:
    """Words that SMV can read, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, wanted: str) -> str:
        word = re.sub(r"\W+", "_", wanted).strip("_") or "v"
        if not word[0].isalpha() or word in _KEYWORDS or re.fullmatch(r"[tc]\d+", word):
            word = f"v_{word}"
        found, number = word, 2
        while found in self._taken:
            found, number = f"{word}_{number}", number + 1
        self._taken.add(found)
        return found


class CellNames:
    """A name for each cell, and one for each value that is not a number."""

    def __init__(self, program: Program) -> None:
        names = Names()
        self._types = [variable.type for variable in program.cell_variables]
        self._symbols: dict[str, str] = {}
        for kind in dict.fromkeys(self._types):
            if isinstance(kind, EnumType) and not _numeric(kind):
                for name, _ in kind.members:
                    if name not in self._symbols:
                        self._symbols[name] = names.new(name)
        self.written = program.cell_names
        """Each cell as a reader of the model writes it."""
        self._spare = names.new("never")
        self.cells = [names.new(text) for text in self.written]

    def is_number(self, cell: int) -> bool:
        kind = self._types[cell]
        return isinstance(kind, IntType) or (isinstance(kind, EnumType) and _numeric(kind))

    def value(self, cell: int, code: int) -> str:
        kind = self._types[cell]
        match kind:
            case BoolType():
                return "TRUE" if code else "FALSE"
            case EnumType() if not _numeric(kind):
                return self._symbols[kind.show(code)]
        return str(code)

    def type(self, cell: int) -> str:
        """The values of the cell. NuSMV takes a variable of one value for a constant, which it lets nothing assign; so
        such a variable has another value, which it never gets."""
        kind = self._types[cell]
        match kind:
            case BoolType():
                return "boolean"
            case IntType(lo, hi):
                return f"{lo}..{max(hi, lo + 1)}"
            case EnumType(members=((_, code),)):
                return f"{{{self.value(cell, code)}, {code + 1 if _numeric(kind) else self._spare}}}"
            case EnumType(members=members):
                return f"{{{', '.join(self.value(cell, code) for _, code in members)}}}"


def _numeric(kind: EnumType) -> bool:
    """Whether all names but that of `undef` are the numbers themselves."""
    return all(name == "undef" or name == str(code) for name, code in kind.members)
