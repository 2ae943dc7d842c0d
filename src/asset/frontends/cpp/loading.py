"""Loading a .model file: rewritten, described, laid out, compiled; or all of that from the cache."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol
from zlib import crc32

from asset.errors import ModelRejected, UsageError
from asset.frontends.cpp import toolchain
from asset.frontends.cpp.declarations import Rewritten, definition, rewrite
from asset.frontends.cpp.packing import Packing, PackingConstants, choose_packing
from asset.frontends.cpp.self_description import (
    FOR_THE_TOOL,
    MOST_WORDS,
    SWITCHES,
    Description,
    parse,
    require_given,
    require_sense,
)
from asset.frontends.cpp.symbols import own_variables
from asset.ir.library import Library
from asset.ir.program import Family, Program, Style, Variable
from asset.ir.requirements import Invariant, MayProgress, MustProgress, Predicate, Terminal
from asset.ir.types import IntType
from asset.processor import processor
from asset.span import Span

_FORMAT = "ASSET .model 1"
_ANY_BYTES = "surrogateescape"  # what is not UTF-8 goes to the compiler as it is
_WORD = re.compile(r"(?:\\.|[^\s\\])+")  # of a rule for make, which is how the compiler lists files
_ESCAPED = re.compile(r"\\([ #\\])")
_LARGE = 64  # words: a larger state does not fit into the room for thread variables with a fixed place

_REQUIREMENTS = (
    ("chk_state", Invariant, "check_state"),
    ("chk_deadlock", Terminal, "check_deadlock"),
    ("chk_may_progress", MayProgress, "is_may_progress"),
    ("chk_must_progress", MustProgress, "is_must_progress"),
)


class Cache(Protocol):
    """Where machine code is kept, by a description of all that it depends on."""

    def fetch(self, description: bytes) -> bytes | None: ...

    def keep(self, description: bytes, code: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Loaded:
    """A .model file ready to run. `switches` are the macros at its end that mean something to the tool, and those that
    were given, with their texts."""

    library: Library
    switches: Mapping[str, str]
    sources: tuple[str, ...]
    """The file itself, and those that it includes."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A .model file as it is compiled."""

    file: str
    original: str
    rewritten: Rewritten
    definitions: Mapping[str, str]

    def source(self, before: str, after: str) -> str:
        """A translation unit. What is defined on the command line is defined after our header, as the file's own
        macros are, so that neither can change what the header means. Errors have their places in the user's file."""
        given = "".join(f"#define {name} {value}\n" for name, value in self.definitions.items())
        quoted = self.file.replace("\\", "\\\\").replace('"', '\\"')
        model = f'#line 1 "{quoted}"\n{self.rewritten.text}\n#line 1 "end of {quoted}"\n'
        used = "".join(f"using namespace {name};\n" for name in self.rewritten.namespaces)
        return f'{before}#include "asset.h"\n{given}{model}{used}#include "end.h"\n{after}'


def load(file: str | Path, definitions: Mapping[str, str], cache: Cache, patience: float) -> Loaded:
    """The model in the file, with these macros defined. What it runs to describe itself may take `patience` seconds."""
    path = Path(file)
    _require_macros(definitions)
    original = path.read_text(encoding="utf-8", errors=_ANY_BYTES)
    rewritten = rewrite(original, str(path))
    includes = re.search(r'^[ \t]*#[ \t]*include[ \t]*"', original, re.MULTILINE) is not None
    if not includes:  # an included file may look at a macro as well
        _require_known(definitions, rewritten.words)
    # If the model does not look at a switch, the machine code is the same with it and without it.
    idle = set() if includes else {name for name in definitions if name in FOR_THE_TOOL - rewritten.words}
    text = _Text(str(path), original, rewritten, {n: v for n, v in definitions.items() if n not in idle})
    told, code, included = _compiled(text, toolchain.find_compiler(), cache, patience)
    described = parse(told)
    require_given(described, text.definitions)
    described = replace(described, switches={**described.switches, **{name: definitions[name] for name in idle}})
    require_sense(described, rewritten.variables, text.file)
    packing = choose_packing(described.variables)
    library = Library(
        _program(text, described, definitions),
        code,
        packing.places(),
        packing.words,
        own_variables(code),
        "print_state" in described.functions,
    )
    return Loaded(library, described.switches, (text.file, *included))


# --- compiling --------------------------------------------------------------------------------------------------


def _compiled(text: _Text, compiler: toolchain.Compiler, cache: Cache, patience: float) -> tuple[str, bytes, list[str]]:
    """What the model says of itself, its library, and the files of the user's that it includes."""
    key = _key(text, compiler)
    kept = cache.fetch(key)
    if kept is not None:
        head, _, code = kept.partition(b"\n")
        facts = json.loads(head)
        if all(_checksum(path) == checksum for path, checksum in facts["included"]):
            return facts["description"], code, [path for path, _ in facts["included"]]
    told, code, included = _Compilation(text, compiler, patience).run()
    facts = {"description": told, "included": [[path, _checksum(path)] for path in included]}
    cache.keep(key, json.dumps(facts).encode() + b"\n" + code)
    return told, code, included


def _key(text: _Text, compiler: toolchain.Compiler) -> bytes:
    """All that the library depends on, except the files that the model includes."""
    headers = " ".join(str(_checksum(str(header))) for header in toolchain.header_files())
    generator = " ".join(str(_checksum(str(module))) for module in sorted(toolchain.FOLDER.glob("*.py")))
    flags = [*toolchain.DESCRIBING, *toolchain.PACKED]
    parts = (_FORMAT, compiler.identity, flags, headers, generator, processor(), text.file, dict(text.definitions))
    return repr(parts).encode() + b"\n" + text.original.encode(errors=_ANY_BYTES)


def _checksum(path: str) -> int | None:
    try:
        return crc32(Path(path).read_bytes())
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class _Compilation:
    text: _Text
    compiler: toolchain.Compiler
    patience: float

    def run(self) -> tuple[str, bytes, list[str]]:
        """The description, the library, and the files of the user's that are included."""
        with tempfile.TemporaryDirectory(prefix="asset-") as name:
            folder = Path(name)
            told = self._describe(folder)
            described = parse(told)
            require_sense(described, self.text.rewritten.variables, self.text.file)
            packing = choose_packing(described.variables)
            if packing.words > MOST_WORDS:
                raise ModelRejected.of(f"the state takes {packing.words} words of 64 bits: the most is {MOST_WORDS}")
            code = self._library(folder, described, packing)
            return told, code, _included(folder / "included.d", self.text.file)

    def _describe(self, folder: Path) -> str:
        source, program, out = folder / "describe.cpp", folder / "describe", folder / "description"
        after = _telling({*SWITCHES, *self.text.definitions})
        source.write_text(self.text.source("#define ASSET_DESCRIBE\n", after), encoding="utf-8", errors=_ANY_BYTES)
        self._compile(source, program, toolchain.DESCRIBING)
        try:
            done = subprocess.run(
                [*toolchain.LITTLE_MEMORY, program, out],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self.patience,
            )
        except subprocess.TimeoutExpired:
            raise self._rejected(f"nr_transitions() does not end within {self.patience:g} s") from None
        if done.returncode:
            how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
            raise self._rejected(f"the model ends its process before anything is explored, in nr_transitions() ({how})")
        return out.read_text(encoding="utf-8")

    def _library(self, folder: Path, described: Description, packing: Packing) -> bytes:
        source, library = folder / "model.cpp", folder / "model.so"
        constants = PackingConstants(
            described.variables,
            packing,
            described.transitions,
            sane="no_sanity_chk" not in described.switches,
            forward="try_forward" in described.switches,
        )
        source.write_text(self.text.source(constants.text(), ""), encoding="utf-8", errors=_ANY_BYTES)
        large = ("-ftls-model=global-dynamic",) if packing.words > _LARGE else ()
        self._compile(source, library, (*toolchain.PACKED, *large, "-MMD", "-MF", str(folder / "included.d")))
        return library.read_bytes()

    def _compile(self, source: Path, output: Path, flags: tuple[str, ...]) -> None:
        beside = ("-I", str(Path(self.text.file).resolve().parent))
        self.compiler.compile(source, output, (*flags, *beside), self.text.file)

    def _rejected(self, message: str) -> ModelRejected:
        return ModelRejected.of(message, definition(self.text.original, self.text.file, "nr_transitions"))


def _telling(switches: set[str]) -> str:
    """The function that reports which of the macros are defined, and as what."""
    lines = [
        f'#ifdef {name}\n    asset_told.asset_tell("switch", "{name}", ASSET_TEXT({name}));\n#endif'
        for name in sorted(switches)
    ]
    return "void asset_tell_switches(asset_description &asset_told) {\n" + "\n".join(lines) + "\n}\n"


def _included(dependencies: Path, file: str) -> list[str]:
    """The files that the model includes, of those that the compiler lists; ours are known."""
    text = dependencies.read_text(encoding="utf-8", errors=_ANY_BYTES).replace("\\\n", " ").partition(": ")[2]
    words = [_ESCAPED.sub(r"\1", word).replace("$$", "$") for word in _WORD.findall(text)]
    ours = {str(header.resolve()) for header in toolchain.header_files()}
    return [word for word in words[1:] if str(Path(word).resolve()) not in ours]


# --- the command line -------------------------------------------------------------------------------------------


def _require_macros(definitions: Mapping[str, str]) -> None:
    for name, value in definitions.items():
        if not (name.isascii() and name.isidentifier()) or "\n" in value:
            raise UsageError.of(f"-D {name}={value}: not a macro", remedy="write a name and one line: -D size_par=8")


def _require_known(definitions: Mapping[str, str], words: frozenset[str]) -> None:
    """If the model does not look at a macro, its name is a mistake."""
    for name in definitions:
        if name not in SWITCHES and name not in words:
            raise UsageError.of(
                f"-D {name}: the model does not look at {name}",
                remedy=f"besides its own, there are: {', '.join(SWITCHES)}",
            )


# --- the program ------------------------------------------------------------------------------------------------


def _program(text: _Text, described: Description, definitions: Mapping[str, str]) -> Program:
    """Variables, commands and properties; the code is in the library."""

    def place(function: str) -> Span:
        return definition(text.original, text.file, function)

    has, on = described.functions, described.switches
    numbers = range(described.transitions)
    order = tuple(reversed(numbers)) if "try_forward" in on else tuple(numbers)
    family = Family(
        "fire_transition",
        0,
        (order,),
        Style.FIRE,
        0,
        place("fire_transition"),
        0 if "next_stubborn" in has else None,
    )
    progress = (MayProgress, MustProgress)
    return Program(
        name=Path(text.file).stem,
        parameters=tuple((name, _value(value)) for name, value in definitions.items()),
        variables=tuple(_variables(text, described)),
        functions=(),
        families=(family,),
        requirements=tuple(
            kind(Predicate(function, 0, (), place(function)))
            for switch, kind, function in _REQUIREMENTS
            if switch in on and not (kind in progress and "no_progr_chk" in on)
        ),
        representative=0 if "symmetry_representative" in has else None,
        idle_steps=True,
    )


def _variables(text: _Text, described: Description) -> list[Variable]:
    spans = {each.number: each.span for each in text.rewritten.variables}
    values = iter(described.initial)
    return [
        Variable(
            each.name,
            IntType(0, (1 << each.bits) - 1),
            each.dims,
            tuple(next(values) for _ in range(each.cells)),
            spans[each.number],
        )
        for each in described.variables
    ]


def _value(text: str) -> object:
    return int(text) if text.isdecimal() else text
