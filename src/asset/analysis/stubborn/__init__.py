"""Stubborn set rules derived from a program."""
