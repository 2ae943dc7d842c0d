"""A whole state space as its labelled edges only, from machine code: for files that other tools read."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from asset.checks.options import CheckOptions
from asset.checks.subject import Subject, runnable
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.space.exploring import too_many_states
from asset.space.exports import require_one_start


@dataclass(frozen=True, slots=True)
class LabelledEdges:
    """Edges by their sources: those of state i end at `ends[i]`. States are numbered in the order of discovery."""

    program: Program
    ends: array[int]
    commands: array[int]
    targets: array[int]

    @property
    def caption(self) -> str:
        return f"{len(self.ends):,} states, {len(self.targets):,} edges"


def labelled_edges(subject: Subject, options: CheckOptions, max_states: int) -> LabelledEdges | None:
    """None if there is no machine code to ask: with reductions, outside the compiled language, if the model fails."""
    options = subject.options(options)
    executable = runnable(subject).executable
    if {options.stubborn, options.symmetry} - {None, "off"} or not isinstance(executable, Interpreter):
        return None
    try:
        from asset.codegen.firing import FiringFailed, NamedSuccessors
    except ImportError:  # the reference interpreter does without LLVM
        return None
    program = executable.program
    require_one_start(len(program.initial_states))
    source = NamedSuccessors(program)
    found = [source.pack(program.initial)]
    numbers = {found[0]: 0}
    edges = LabelledEdges(program, array("Q"), array("I"), array("Q"))
    try:
        while len(edges.ends) < len(found):
            first = len(edges.ends)
            for successors in source.of(found[first : first + source.batch]):
                for command, state in successors:
                    number = numbers.setdefault(state, len(found))
                    if number == len(found):
                        found.append(state)
                    edges.commands.append(command)
                    edges.targets.append(number)
                edges.ends.append(len(edges.targets))
            if len(found) > max_states:
                raise too_many_states(program, max_states)
    except FiringFailed:
        return None
    return edges


def aut(edges: LabelledEdges) -> str:
    """As `exports.aut` of the whole graph."""
    names = [edges.program.command_name(command) for command in range(edges.program.nr_commands)]
    lines = [f"des (0, {len(edges.targets)}, {len(edges.ends)})"]
    begin = 0
    for source, end in enumerate(edges.ends):
        labelled = sorted((names[edges.commands[at]], edges.targets[at]) for at in range(begin, end))
        lines += [f'({source}, "{name}", {target})' for name, target in labelled]
        begin = end
    return "\n".join(lines) + "\n"
