"""Machine code in executable memory."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from asset.codegen.elf import LinkedImage, Unsupported, link


class LoadedCode(Protocol):
    """Loaded code; it stays in memory as long as this object."""

    def address(self, name: str) -> int:
        """Of the function; 0 if there is none of this name."""
        ...


def load(objects: Sequence[bytes]) -> LoadedCode:
    """Loads object files that refer to each other: by ourselves if we can, else by LLVM."""
    if sys.platform == "linux":
        try:
            return MappedCode(link(objects, os.uname().machine))
        except (Unsupported, OSError):
            pass  # OSError: the system does not let us; LLVM may know another way
    return LlvmCode(objects)


class MappedCode:
    """An image in pages of its own, which are never writable and executable at a time."""

    def __init__(self, image: LinkedImage) -> None:
        self._symbols = image.symbols
        self._memory = mmap.mmap(-1, max(1, len(image.code)), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._memory.write(image.code)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        libc = ctypes.CDLL(None, use_errno=True)
        protection = mmap.PROT_READ | mmap.PROT_EXEC
        if libc.mprotect(ctypes.c_void_p(self._base), ctypes.c_size_t(len(self._memory)), protection):
            raise OSError(ctypes.get_errno(), "mprotect")

    def address(self, name: str) -> int:
        return self._base + self._symbols[name] if name in self._symbols else 0


class LlvmCode:
    """Objects loaded by LLVM's just-in-time linker."""

    def __init__(self, objects: Sequence[bytes]) -> None:
        import llvmlite.binding as llvm  # type: ignore[import-untyped]

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for data in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        return int(self._engine.get_function_address(name))
