"""Machines in the style of published ones: a text with gaps, and what a check says of it."""

from __future__ import annotations

from pathlib import Path

import asset
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

HEAD = """\
asm m
import ../STDL/StandardLibrary
import ../../STDL/CTLlibrary
import LTLlibrary
signature:
    domain N subsetof Integer
    enum domain Light = {{RED | GREEN}}
    controlled n: N
    controlled light: Light
    monitored go: Boolean
    {signature}
definitions:
    domain N = {{0 : 3}}
    {definitions}
    main rule r_Main = {rule}
default init s0:
    function n = 0
    function light = RED
    {initial}
"""


def machine(tmp_path: Path, rule: str = "skip", **parts: str) -> str:
    file = tmp_path / "m.asm"
    blank = {"signature": "", "definitions": "", "initial": ""}
    file.write_text(HEAD.format(rule=rule, **(blank | parts)))
    return str(file)


def checked(file: str, **given: str) -> Verdict:
    return asset.check(load(ModelSpec(file, given)), engine="reference")


def limit(verdict: Verdict) -> str:
    """The limit of the tool that a step went beyond, so that nothing is known."""
    assert verdict.exit_status == 3 and verdict.violation is None
    return next(each.message for each in verdict.caveats if each.code == "step-limit")


COUNTS = "if go and n < 3 then n := n + 1 endif"
