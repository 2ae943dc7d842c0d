"""From a program to machine code. Decides nothing about what is checked: it translates."""

from asset.codegen.compiled import CompiledModel, compile, compile_counted, compile_marked

__all__ = ["CompiledModel", "compile", "compile_counted", "compile_marked"]
