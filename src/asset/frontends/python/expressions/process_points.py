"""Where processes are: `self.at(self.customer, i, "critical")`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.ir_expressions import disjunction
from asset.frontends.python.values import Scalar, Static, Value
from asset.ir import nodes as n
from asset.model import Process


class ProcessPoints:
    def __init__(self, body: Body, evaluation: Evaluation) -> None:
        self._body = body
        self._evaluation = evaluation

    def is_at(self, node: ast.Call) -> Value:
        """Whether the program counter of the process is that of one of the yields with the label."""
        if node.keywords or len(node.args) < 2:
            self._reject_at(node)
        process = self._process(node.args[0])
        numbers = self._labelled(process, node.args[-1])
        indices = node.args[1:-1]
        if len(indices) != len(process.index_names):
            what = f"{process.name} has {_listed(process.index_names)}, and here {_listed(indices)}"
            shown = ", ".join((f"self.{process.name}", *process.index_names, ast.unparse(node.args[-1])))
            self._body.reject(node, what, f"write self.at({shown})")
        span = self._body.span(node)
        counter = n.Read(span, self._counter(process), tuple(self._positions(process, indices)))
        tests = [n.Binary(span, n.BinaryOp.EQ, counter, n.Const(span, number)) for number in numbers]
        return Scalar(disjunction(tests, span)) if tests else Static(False)

    def _reject_at(self, node: ast.expr) -> NoReturn:
        what = "at takes a process, its indices and a label"
        self._body.reject(node, what, 'write self.at(self.customer, i, "critical")')

    def _process(self, node: ast.expr) -> Process:
        match self._evaluation.evaluate(node):
            case Static(Process() as process):
                return process
            case Static(str() as name):
                member = inspect.getattr_static(type(self._body.draft.model), name, None)
                if isinstance(member, Process):
                    return member
        self._reject_at(node)

    def _labelled(self, process: Process, node: ast.expr) -> tuple[int, ...]:
        """The program counter's values at the yields with the label."""
        label = self._evaluation.evaluate(node)
        if not isinstance(label, Static) or not isinstance(label.value, str):
            self._reject_at(node)
        try:
            return process.points(self._body.draft.model, label.value)
        except KeyError as error:
            self._body.reject(node, str(error.args[0]), f'a label is given with yield "{label.value}"')

    def _counter(self, process: Process) -> int:
        """The variable that is the program counter."""
        variables = enumerate(self._body.draft.variables)
        return next(k for k, variable in variables if variable.name == process.counter)

    def _positions(self, process: Process, indices: list[ast.expr]) -> list[n.Expr]:
        """The cells of the indices: they are counted from the first value of each."""
        positions = []
        for node, values in zip(indices, process.ranges(self._body.draft.model), strict=True):
            index, first = self._evaluation.scalar(node), min(values, default=0)
            span = self._body.span(node)
            positions.append(n.Binary(span, n.BinaryOp.SUB, index, n.Const(span, first)) if first else index)
        return positions


def _listed(indices: Sequence[object]) -> str:
    return {0: "no index", 1: "one index"}.get(len(indices), f"{len(indices)} indices")
