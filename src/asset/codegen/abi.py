"""The native boundary (native/abi.h) as ctypes sees it."""

from __future__ import annotations

import ctypes

from asset.ir.program import Program, PropertyKind

ABI_VERSION = 4

KINDS = (PropertyKind.INVARIANT, PropertyKind.TERMINAL, PropertyKind.MAY_PROGRESS, PropertyKind.MUST_PROGRESS)
"""In the order of the indices of `asset_model.labels` (native/abi.h)."""


class ModelTable(ctypes.Structure):
    """struct asset_model of native/abi.h."""

    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("state_words", ctypes.c_uint32),
        ("state_bits", ctypes.c_uint32),
        ("nr_commands", ctypes.c_uint32),
        ("nr_labels", ctypes.c_uint32 * len(KINDS)),
        ("initial", ctypes.c_void_p),
        ("successors", ctypes.c_void_p),
        ("fire", ctypes.c_void_p),
        ("labels", ctypes.c_void_p * len(KINDS)),
        ("obligations", ctypes.c_void_p),
        ("representatives", ctypes.c_void_p),
        ("named_successors", ctypes.c_void_p),
        ("facts", ctypes.c_void_p),
        ("nr_facts", ctypes.c_uint32),
        ("steps", ctypes.c_void_p),
        ("holds", ctypes.c_void_p),
    ]


class FaultRecord(ctypes.Structure):
    """struct asset_fault of native/abi.h."""

    _fields_ = [("state", ctypes.c_uint64), ("command", ctypes.c_uint32), ("code", ctypes.c_uint32)]


def has_rules(program: Program) -> bool:
    """Whether there is a hand-written rule, and so a function `obligations`."""
    return any(family.rule is not None and family.size for family in program.families)


def label_name(kind: PropertyKind) -> str:
    """The symbol of the function that computes the labels of a kind."""
    return f"labels_{kind.value}"
