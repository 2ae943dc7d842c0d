"""The last touch: what is not needed is left out, and long conditions stand in several lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from asset.frontends.promela.in_python.statements import Lines

WIDTH = 110


def with_bodies(lines: Sequence[tuple[int, str]]) -> Lines:
    """The lines, with `pass` where nothing but comments stands below a branch; an empty `else` is left out."""
    code = [k for k, (_, text) in enumerate(lines) if not text.startswith("#")]
    following = dict(pairwise(code))
    for k, (depth, text) in enumerate(lines):
        below = following.get(k)
        empty = k in following and text.endswith(":") and below is not None and lines[below][0] <= depth
        if empty and text == "else:" and below == k + 1:
            continue
        yield depth, text
        if empty:
            yield depth + 1, "pass"


def with_plain_loops(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Loops that a condition at their head leaves, with the condition in the head."""
    found = list(lines)
    for k in range(len(found) - 1, -1, -1):
        depth, text = found[k]
        if text != "while True:" or k + 1 == len(found) or found[k + 1][0] != depth + 1:
            continue
        test = found[k + 1][1]
        end = next((at for at in range(k + 1, len(found)) if found[at][0] <= depth), len(found))
        same = [at for at in range(k + 1, end) if found[at][0] == depth + 1]
        leaves = found[end - 2 : end] == [(depth + 1, "else:"), (depth + 2, "break")]
        if test.startswith("if ") and test.endswith(":") and leaves and same == [k + 1, end - 2]:
            body = [(at - 1, line) for at, line in found[k + 2 : end - 2]]
            found[k:end] = [(depth, f"while {test.removeprefix('if ')}"), *body]
    return found


def without_last_continue(lines: Sequence[tuple[int, str]]) -> Lines:
    """The lines without a `continue` behind which its loop would go on by itself."""
    for k, (depth, text) in enumerate(lines):
        if text != "continue" or not _goes_on(lines, k):
            yield depth, text


def _goes_on(lines: Sequence[tuple[int, str]], k: int) -> bool:
    """Whether the end of the loop follows, and something else is left of the branch that `continue` ends."""
    depth, loop = lines[k][0], _loop_of(lines, k)
    if k == 0 or lines[k - 1][0] != depth:
        return False
    for at, text in lines[k + 1 :]:
        if not text or at > depth:
            continue
        if at <= loop:
            return True
        if not text.startswith(("else:", "elif ", "case ")):
            return False
        depth = at
    return True


def _loop_of(lines: Sequence[tuple[int, str]], k: int) -> int:
    """The depth of the loop around the line."""
    depth = lines[k][0]
    for at, text in reversed(lines[:k]):
        if at < depth:
            depth = at
            if text.startswith(("while ", "for ")):
                return at
    return -1


def folded(lines: Iterable[tuple[int, str]]) -> Lines:
    """The lines, with long calls and returned values in several lines, one for each operand."""
    for depth, text in lines:
        code, _, comment = text.partition("  # ")
        opening = next((word for word in ("when(", "return ", "if not (") if code.startswith(word)), None)
        if 4 * depth + len(text) <= WIDTH or opening is None or "\n" in text:
            yield depth, text
            continue
        closing = {"when(": ")", "return ": "", "if not (": "):"}[opening]
        inside = code.removeprefix(opening)
        if not inside.endswith(closing):
            yield depth, text
            continue
        parts = list(_operands(inside[: len(inside) - len(closing)]))
        if len(parts) == 1:
            yield depth, text
            continue
        yield (
            depth,
            (f"{opening.rstrip()} (" if opening == "return " else opening) + (f"  # {comment}" if comment else ""),
        )
        yield from ((depth + 1, part) for part in parts)
        yield depth, ")" if opening == "return " else closing


def _operands(code: str) -> Iterator[str]:
    """The operands of the loosest operator, `or` before `and`, each with the operator before it."""
    for word in (" or ", " and "):
        parts = _split(code, word)
        if len(parts) > 1 and not any(" if " in part for part in parts):
            yield parts[0]
            yield from (f"{word.strip()} {part}" for part in parts[1:])
            return
    yield code


def _split(code: str, word: str) -> list[str]:
    """The code at the words that stand in no brackets and no text."""
    found, deep, start, quote = list[str](), 0, 0, ""
    for k, character in enumerate(code):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            deep += 1
        elif character in ")]}":
            deep -= 1
        elif deep == 0 and code.startswith(word, k):
            found.append(code[start:k])
            start = k + len(word)
    return [*found, code[start:]]
