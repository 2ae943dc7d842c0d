"""The native boundary (native/abi.h) as ctypes sees it."""

from __future__ import annotations

import ctypes

from asset.ir.program import PropertyKind

ABI_VERSION = 1

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
    ]


class FaultRecord(ctypes.Structure):
    """struct asset_fault of native/abi.h."""

    _fields_ = [("state", ctypes.c_uint64), ("command", ctypes.c_uint32), ("code", ctypes.c_uint32)]


def label_name(kind: PropertyKind) -> str:
    """The symbol of the function that computes the labels of a kind."""
    return f"labels_{kind.value}"
