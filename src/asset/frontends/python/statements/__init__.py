"""Statements: from Python's syntax tree to the IR, a module for each kind."""
