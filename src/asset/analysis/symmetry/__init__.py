"""Symmetries found in a program, each verified on what its commands do."""
