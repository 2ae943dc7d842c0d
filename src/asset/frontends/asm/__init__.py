"""Abstract state machines, in the notations AsmetaL and ASM-SL: text → one syntax tree → IR."""

from asset.frontends.asm.loading import Loaded, load

__all__ = ["Loaded", "load"]
