"""Temporal logic without models: formulas, what they mean on a run, how they are written, and their automata."""
