"""`asset translate`: a model in another language, that of another tool or Python."""

from __future__ import annotations

import argparse
import sys

from asset.checks.subject import Subject, require_transparent
from asset.cli import output
from asset.cli.arguments import positive
from asset.cli.model_words import add_model, loaded, spec_of
from asset.ir.program import Program
from asset.report.destination import Outputs

_DESCRIPTION = """\
Writes the model in another language. In Python, a proctype is a process, with
the same states and edges, or, if it does what processes in Python cannot say,
each step is a transition; the head of the file says why. In SMV, each cell of
the state is a variable, what each transition does to it is unfolded, and
properties are specifications; comments map the names back."""

_EXAMPLES = """\
examples:
  asset translate printer.pml -o printer.py           from Promela to Python
  asset translate ring.py -p n=2 --to smv             on the terminal
  asset translate machine.asm --to smv -o machine.smv  into a file, for NuSMV"""

TARGETS = {"python": "Python", "smv": "SMV"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    parser.add_argument("--to", choices=TARGETS, default="python", help="the language to write (default: python)")
    parser.add_argument(
        "--effort", metavar="N", type=positive, default=1, help="for SMV, N times as much may be unfolded (default: 1)"
    )
    parser.add_argument("-o", dest="file", metavar="FILE", help="the file to write (default: the terminal)")


def run(words: argparse.Namespace) -> int:
    outputs = Outputs({"-o": words.file} if words.file is not None else {})
    outputs.require_writable(stdout=False)
    subject = loaded(spec_of(words), outputs=outputs)
    require_transparent(subject, "asset translate", "only what can be looked into can be translated")
    program = subject.executable().program
    text = _smv(subject.with_separate_inputs(), words.effort) if words.to == "smv" else _python(subject, program)
    if words.file is None:
        output.print_text(text.rstrip("\n"))
    else:
        outputs.write("-o", text)
        output.print_text(f"{program.name}: {len(text.splitlines())} lines of {TARGETS[words.to]}: {words.file}")
    return 0


def _smv(program: Program, effort: int) -> str:
    from asset.translation.smv import smv

    return smv(program, effort)


def _python(subject: Subject, program: Program) -> str:
    """As processes if the language has them and can say the model so, otherwise as transitions."""
    from asset.translation.python_model import python_model, untold

    text, why = subject.in_python()
    if text is not None:
        return text
    if why is not None:
        print(f"{why}\nasset: each step is written as a transition", file=sys.stderr)
    for requirement in untold(program):
        print(f"asset: {requirement.name} has no words in Python, and is left out", file=sys.stderr)
    return python_model(program, why)
