"""`timeout`: a method of the model says whether any process can go on, and labels of yields say what each waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import source_text
from asset.frontends.promela.control import Element, Shape, Step
from asset.frontends.promela.in_python.expressions import negated
from asset.frontends.promela.in_python.meeting import is_entered_atomically
from asset.frontends.promela.in_python.names import Unsaid
from asset.frontends.promela.in_python.places import Places
from asset.frontends.promela.in_python.statements import Lines, Statements
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.naming import parts_of

READY = "ready"
_LONGEST = 40


def speaks_of_timeouts(node: object) -> bool:
    return any(isinstance(part, s.Predefined) and part.name == "timeout" for part in parts_of(node))


def require_plain_timeouts(kinds: Iterable[Kind]) -> None:
    """Timeouts are asked for where a step begins, before anything has changed."""
    for kind in kinds:
        control = kind.control
        for place, steps in control.steps.items():
            for step in steps:
                if speaks_of_timeouts(step.element.statement) and not isinstance(step.statement, s.Condition):
                    said = "a timeout that is no condition of its own"
                    raise Unsaid(said, step.element.span, "let a statement of its own wait for it")
            waiting = [step for step in steps if _waits(step)]
            if waiting and len(steps) > 1 and is_entered_atomically(kind, place):
                said = "a timeout among others in an atomic sequence"
                raise Unsaid(said, waiting[0].element.span, "end the atomic sequence before the choice")


def _waits(step: Step) -> bool:
    return isinstance(step.statement, s.Condition) and speaks_of_timeouts(step.statement)


def words_of(kind: Kind, resting: Sequence[Element]) -> dict[Element, str]:
    """What is said of each place of the processes: what they wait for there."""
    words: dict[Element, str] = {}
    for place in resting:
        word = READY if goes_on(kind.control.steps[place]) else _told(kind.control.steps[place])
        if word != READY and word in words.values():
            word += f" in line {place.span.line}"
        while word != READY and word in words.values():
            word += "'"
        words[place] = "where it begins" if word == READY and place is kind.control.start else word
    return words


def goes_on(steps: Sequence[Step]) -> bool:
    """Whether one of the steps can always be taken, as far as the text shows."""
    return any(
        isinstance(step.statement, s.Else | s.Assign | s.Assert | s.Print | s.Discard)
        or (isinstance(step.statement, s.Condition) and isinstance(step.statement.value, s.Run))
        for step in steps
        if step.element.shape not in (Shape.END, Shape.D_STEP)
    )


def _told(steps: Sequence[Step]) -> str:
    if any(step.element.shape is Shape.END for step in steps):
        return "at its end"
    texts = (source_text((step.statement or step.element).span) for step in steps)
    text = " or ".join(dict.fromkeys(texts))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"


class Timeouts:
    """Writes the method that says whether there is a timeout."""

    def __init__(self, words: dict[str, dict[Element, str]], statements: Callable[[Kind], Statements]) -> None:
        self._words, self._statements = words, statements

    def lines(self, name: str, places: Sequence[Places], methods: Sequence[str]) -> Lines:
        """The method `name`, behind those that say it of each kind."""
        for each, method in zip(places, methods, strict=True):
            kind = each.kind
            yield 1, f"def {method}(self{'' if kind.single else ', pid'}):"
            yield 2, '"""Whether the process can go on without a timeout."""'
            given = self._statements(kind).provided
            if given is not None:
                yield from ((2, f"if {negated(given)}:"), (3, "return False"))
            yield from _any_of(list(dict.fromkeys(self._ways(each))))
            yield 0, ""
        yield from ((1, f"def {name}(self):"), (2, '"""Whether no process can go on."""'))
        able = [
            each.of_all("any", f"self.{method}({'' if each.kind.single else 'pid'})")
            for each, method in zip(places, methods, strict=True)
        ]
        yield 2, f"return not ({' or '.join(able)})"

    def _ways(self, places: Places) -> Iterator[str]:
        kind = places.kind
        write = self._statements(kind)
        for place, word in self._words[kind.name].items():
            there, steps = places.at(places.waiting(word), "pid"), kind.control.steps[place]
            able = None if goes_on(steps) else self._able(kind, steps, write)
            if able is None:
                yield there
            elif able != "False":
                yield f"{there} and {f'({able})' if ' or ' in able or ' if ' in able else able}"

    def _able(self, kind: Kind, steps: Sequence[Step], write: Statements) -> str | None:
        tests: list[str] = []
        for step in steps:
            if step.element.shape is Shape.END:
                tests.append(f"self.nr_pr == {kind.pids[0] + 1 if kind.single else 'pid + 1'}")
                continue
            if step.element.shape is Shape.STEP or step.element.shape is Shape.D_STEP:
                assert step.element.statement is not None
                test = write.enabled(step.element.statement)
                if test is None:
                    return None
                tests.append(f"({test})" if " and " in test and len(steps) > 1 else test)
            else:
                return None
        tests = [test for test in dict.fromkeys(tests) if test != "False"]
        return " or ".join(tests) or "False"


def _any_of(tests: Sequence[str]) -> Lines:
    if len(tests) < 2:
        yield 2, f"return {tests[0] if tests else False}"
        return
    yield 2, "return ("
    for k, test in enumerate(tests):
        yield 3, f"{'or ' if k else ''}{test}"
    yield 2, ")"
