"""`asset translate`: a model in the language of another tool."""

from __future__ import annotations

import argparse

from asset.checks.subject import require_transparent
from asset.cli import output
from asset.cli.model_words import add_model, loaded, spec_of
from asset.report.destination import Outputs

_DESCRIPTION = """\
Writes the model in the language of another tool. In SMV, each cell of the state
is a variable, what each transition does to it is unfolded, and properties are
specifications; comments map the names back."""

_EXAMPLES = """\
examples:
  asset translate ring.py -p n=2 --to smv             on the terminal
  asset translate machine.asm --to smv -o machine.smv  into a file, for NuSMV"""

TARGETS = ("smv",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    parser.add_argument("--to", choices=TARGETS, required=True, help="the language to write")
    parser.add_argument("-o", dest="file", metavar="FILE", help="the file to write (default: the terminal)")


def run(words: argparse.Namespace) -> int:
    from asset.translation.smv import smv

    outputs = Outputs({"-o": words.file} if words.file is not None else {})
    outputs.require_writable(stdout=False)
    subject = loaded(spec_of(words), outputs=outputs)
    require_transparent(subject, "asset translate", "only what can be looked into can be translated")
    program = subject.executable().program
    text = smv(program)
    if words.file is None:
        output.print_text(text.rstrip("\n"))
    else:
        outputs.write("-o", text)
        output.print_text(f"{program.name}: {len(text.splitlines())} lines of SMV: {words.file}")
    return 0
