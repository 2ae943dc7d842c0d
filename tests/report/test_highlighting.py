"""The text of a model in colours: what it says stays the same, whatever the language."""

from __future__ import annotations

import re
from html import unescape

import pytest

from asset.report.highlighting import highlighted


def lines(file: str, text: str) -> list[str]:
    return list(highlighted(file, text))


@pytest.mark.parametrize("file", ["m.py", "m.pml", "m.asm", "m.model", "m"])
def test_the_text_is_what_it_was(file: str) -> None:
    text = 'if x < 1: y = "<b>"  # a & b\n/* one\ntwo */ int i;\n"""doc\nmore"""\n@f\n\'\'\'\n'
    shown = [unescape(re.sub(r"</?i[^>]*>", "", line)) for line in lines(file, text)]
    assert shown == text.splitlines()


def test_words_of_the_language_are_told_from_names() -> None:
    assert lines("m.py", "return chan") == ['<i class="keyword">return</i> chan']
    assert lines("m.pml", "return chan") == ['return <i class="keyword">chan</i>']


def test_what_is_in_a_string_or_comment_is_not_code() -> None:
    assert lines("m.py", 'x = "if"  # if 1') == [
        'x = <i class="string">&quot;if&quot;</i>  <i class="comment"># if 1</i>'
    ]


def test_a_docstring_is_one_block() -> None:
    first, second, third = lines("m.py", '"""one\nif two"""\nif three')
    assert all(line.startswith('<i class="comment">') for line in (first, second))
    assert third == '<i class="keyword">if</i> three'
