"""Declarations of state variables in .model files, and where the variables are put."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asset.errors import ModelRejected
from asset.frontends.cpp.declarations import definition, rewrite
from asset.frontends.cpp.packing import WORD, choose_packing
from asset.frontends.cpp.self_description import VariableDescription
from asset.frontends.cpp.symbols import _readable


def declared(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [(each.name, each.dims, each.width) for each in rewrite(text, "a.model").variables]


def test_every_form_of_a_declaration_is_read() -> None:
    text = "state_var A[n] = 2, x(3), y = 1, z, B[n-1], C[2][ m ] = w+1, D{5};"
    assert declared(text) == [
        ("A", ("n",), "2"),
        ("x", (), "3"),
        ("y", (), "1"),
        ("z", (), "8"),
        ("B", ("n - 1",), "8"),
        ("C", ("2", "m"), "w + 1"),
        ("D", (), "5"),
    ]


def test_a_declaration_becomes_one_for_each_variable() -> None:
    assert rewrite("state_var A[n] = 2, x;", "a.model").text.strip() == (
        'const ::asset_variable<0, (n)> A{"A", (2)}; const ::asset_variable<1> x{"x", (8)};'
    )


def test_lines_stay_where_they_were() -> None:
    text = "state_var // the state\n A[n\n] = 2, /* one\n two */ B,\n#ifdef C\n C,\n#endif\n D;\nint here;\n"
    rewritten = rewrite(text, "a.model").text
    assert rewritten.split("\n").index("int here;") == text.split("\n").index("int here;")
    assert "\n#ifdef C\n" in rewritten and "\n#endif\n" in rewritten


@pytest.mark.parametrize(
    "text",
    [
        "void f( state_var &x );",
        "bool f(){ state_var &x = A[0]; return x; }",
        "struct pair { state_var a, b; };",
        '// state_var x;\n/* state_var y; */ const char *s = "state_var z;"; char c = \'"\';',
        "#define VARIABLE state_var x",
        'auto raw = R"(state_var x;)";',
    ],
)
def test_what_declares_no_state_variable_is_left_alone(text: str) -> None:
    assert rewrite(text, "a.model").text == text


def test_declarations_in_a_namespace_are_rewritten() -> None:
    assert declared("namespace a { namespace b::c { state_var x; } state_var y; } state_var z;") == [
        (name, (), "8") for name in "xyz"
    ]


def test_the_namespaces_at_the_top_are_known() -> None:
    text = 'namespace a { namespace b { int x; } } namespace c::d { } namespace { } extern "C" { } struct e { };'
    assert rewrite(text, "a.model").namespaces == ("a", "c::d")


def test_a_directive_within_one_variable_is_an_error() -> None:
    with pytest.raises(ModelRejected, match="a directive within the declaration"):
        rewrite("state_var A[\n#ifdef B\n2\n#endif\n];", "a.model")


def test_words_of_comments_are_not_words_of_the_code() -> None:
    words = rewrite("// stubborn\n#ifdef no_test\nint x;\n#endif", "a.model").words
    assert "no_test" in words and "x" in words and "stubborn" not in words


def test_a_definition_is_found_behind_declarations_and_calls() -> None:
    text = "bool f( unsigned );\nbool g(){ return f( 1 ); }\nbool f( unsigned t ){\n  return t; }"
    assert definition(text, "a.model", "f").line == 3


@given(st.lists(st.tuples(st.integers(1, 32), st.lists(st.integers(1, 9), max_size=2)), max_size=8))
def test_no_two_cells_share_a_bit_and_none_crosses_a_word(shapes: list[tuple[int, list[int]]]) -> None:
    variables = [VariableDescription(i, f"v{i}", bits, tuple(dims)) for i, (bits, dims) in enumerate(shapes)]
    packing = choose_packing(variables)
    taken: set[tuple[int, int]] = set()
    places = packing.places()
    assert len(places) == sum(variable.cells for variable in variables)
    for place in places:
        bits = {(place.word, place.shift + i) for i in range(place.bits)}
        assert place.shift + place.bits <= WORD and place.word < packing.words
        assert not bits & taken
        taken |= bits
    if packing.words == 1 and taken:
        assert max(bit for _, bit in taken) < packing.bits


@pytest.mark.parametrize(
    ("symbol", "name"),
    [("calls", "calls"), ("_ZL5calls", "calls"), ("_ZZ14check_deadlockvE5found", "found"), ("_ZN4lift4doorE", "door")],
)
def test_a_symbol_is_named_as_its_variable(symbol: str, name: str) -> None:
    assert _readable(symbol) == name
