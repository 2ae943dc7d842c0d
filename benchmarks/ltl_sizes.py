"""Translates the LTL formulas of the literature and shows the sizes of our automata beside the published ones.

python benchmarks/ltl_sizes.py          # those that differ, or that take more than 50 ms
python benchmarks/ltl_sizes.py --all    # the whole table
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from asset.logic.automata import Automaton
from asset.logic.parsing import parse_ltl
from asset.logic.translation import translate

SIZES = Path(__file__).parent.parent / "tests" / "logic" / "automaton_sizes.txt"
LARGE = {
    "10 recurrences": " & ".join(f"GF p{i}" for i in range(10)),
    "5 responses": " & ".join(f"G (p{2 * i} -> F p{2 * i + 1})" for i in range(5)),
    "a response under 8 weak fairnesses, negated": "("
    + " & ".join(f"GF p{i}" for i in range(8))
    + ") & F (p8 & G !p9)",
    "a response under 4 strong fairnesses": "!("
    + " & ".join(f"(GF p{2 * i} -> GF p{2 * i + 1})" for i in range(4))
    + ") | G (p8 -> F p9)",
    "5 strong fairnesses": " & ".join(f"(GF p{2 * i} -> GF p{2 * i + 1})" for i in range(5)),
    "10 eventualities": " & ".join(f"F p{i}" for i in range(10)),
    "8 strong fairnesses": " & ".join(f"(GF p{2 * i} -> GF p{2 * i + 1})" for i in range(8)),
    "9 nested releases": " R (".join(f"p{i}" for i in range(10)) + ")" * 9,
}
"""Formulas of ten propositions and more."""


def main() -> None:
    everything = "--all" in sys.argv[1:]
    rows = [line.split(" ; ") for line in SIZES.read_text().splitlines() if not line.startswith("#")]
    as_small = 0
    total = slowest = 0.0
    print(f"{'formula':34} {'states':>6} {'theirs':>6} {'edges':>6} {'theirs':>6} {'ms':>6}")
    for name, states, edges, text in rows:
        automaton, took = timed(text)
        total, slowest = total + took, max(slowest, took)
        as_small += automaton.states <= int(states)
        if everything or automaton.states != int(states) or took > 0.05:
            ours = f"{automaton.states:6} {states:>6} {automaton.edges_by_letter:6} {edges:>6}"
            print(f"{name:34} {ours} {took * 1000:6.0f}")
    print(f"{as_small} of {len(rows)} have as few states; {total:.2f} s in all, {slowest * 1000:.0f} ms at most")
    for name, text in LARGE.items():
        automaton, took = timed(text)
        print(f"{name}: {automaton.states} states, {sum(map(len, automaton.edges))} edges, {took:.2f} s")


def timed(text: str) -> tuple[Automaton, float]:
    """The automaton and the seconds of the processor that it took."""
    start = time.process_time()
    automaton = translate(parse_ltl(text))
    return automaton, time.process_time() - start


if __name__ == "__main__":
    main()
