"""Expressions: from Python's syntax tree to what they denote, a module for each kind."""
