"""From a program to machine code. Decides nothing about what is checked: it translates."""

from asset.codegen.native import NativeModel, compile

__all__ = ["NativeModel", "compile"]
