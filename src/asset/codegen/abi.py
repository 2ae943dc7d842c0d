"""The native boundary (native/abi.h) as ctypes sees it."""

from __future__ import annotations

import ctypes

from asset.ir.program import Program

ABI_VERSION = 6


class ModelTable(ctypes.Structure):
    """struct asset_model of native/abi.h."""

    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("state_words", ctypes.c_uint32),
        ("state_bits", ctypes.c_uint32),
        ("nr_commands", ctypes.c_uint32),
        ("nr_predicates", ctypes.c_uint32),
        ("nr_facts", ctypes.c_uint32),
        ("successors", ctypes.c_void_p),
        ("fire", ctypes.c_void_p),
        ("predicates", ctypes.c_void_p),
        ("obligations", ctypes.c_void_p),
        ("representatives", ctypes.c_void_p),
        ("named_successors", ctypes.c_void_p),
        ("facts", ctypes.c_void_p),
        ("steps", ctypes.c_void_p),
        ("holds", ctypes.c_void_p),
        ("holds_of_step", ctypes.c_void_p),
    ]


class FaultRecord(ctypes.Structure):
    """struct asset_fault of native/abi.h."""

    _fields_ = [("state", ctypes.c_uint64), ("number", ctypes.c_uint32), ("code", ctypes.c_uint32)]


def has_rules(program: Program) -> bool:
    """Whether there is a hand-written rule, and so a function `obligations`."""
    return any(family.rule is not None and family.size for family in program.families)
