"""Engines explore a program: `reference` in plain Python is the specification, `native` is fast."""
