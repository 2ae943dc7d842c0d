"""Which store for which size and memory, as Dillinger and Manolios advise (3Spin and 3Murphi, 2005).

If nothing is known of the number of states: bitstate hashing with few addresses, which omits few of whatever number
there is. If it is known roughly: bitstate hashing with the addresses that are best for it, which bears a wrong guess.
If it is known well, and each state can have ten bits or more: hash compaction, which omits least if its table is nearly
filled.
"""

from __future__ import annotations

from asset.engine.omissions import SUPERTRACE, Approximate, Table, bitstate_omissions
from asset.verdict import Caveat

FEW = 0.01
"""The share of states that may be omitted if nothing better can be had."""

WORTH_A_HASH = 10
"""Bits for each state: with fewer, bitstate hashing omits less than hash compaction."""


def after_memory(memory: int, can_spill: bool) -> Caveat:
    """For a search that ended for want of this much memory; how many states there are is not known. What stays exact
    comes first: files, if the search can go on with them and did not."""
    exact = "--spill DIR goes on with files in that folder, slower and exactly; " if can_spill else ""
    return Caveat(
        "other-stores",
        f"{exact}in as much memory, --store bitstate goes through up to {_about(within(memory))} states and omits at "
        f"most {FEW:.0%} of them, fewer with --expect N if there are about N; --store compact --expect N omits least "
        "if N is known well; asset simulate needs no memory; these three cannot say that a property holds",
    )


def for_size(states: float, memory: int) -> str:
    """For a state space of about that size, which does not fit."""
    table = Approximate("bitstate", max(1, round(states))).table(memory, memory)
    omitted = table.omissions(round(states))
    if omitted > FEW * states:
        return "too large for any store: asset simulate makes random runs of it"
    bits = 8 * table.size / states
    closer = "; --store compact if it is known well" if bits >= WORTH_A_HASH else ""
    asked = _about(states).replace(",", "")
    return f"--store bitstate --expect {asked} omits about {omitted:.2g} of {_about(states)} states{closer}"


def within(memory: int) -> float:
    """Of how many states bitstate hashing omits few, if their number is not known."""
    bits = 8 * Table("bitstate", memory * 3 // 4, SUPERTRACE).size
    least, most = 1.0, float(bits)
    while most / least > 1.01:
        middle = (least * most) ** 0.5
        fits = bitstate_omissions(middle, bits, SUPERTRACE) <= FEW * middle
        least, most = (middle, most) if fits else (least, middle)
    return least


def _about(number: float) -> str:
    """With two digits that are not 0."""
    return f"{float(f'{number:.2g}'):,.0f}"
