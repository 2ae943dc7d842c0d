"""What is measured: a model of ours, the same model for the peers, and the state space that all must agree on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"
PEERS = Path(__file__).resolve().parent / "peers"


@dataclass(frozen=True, slots=True)
class Counts:
    states: int
    edges: int


@dataclass(frozen=True, slots=True)
class Workload:
    """A family of models of growing size: `counts` knows the state space of each size that can be measured."""

    name: str
    model: str
    peer: str
    usual_sizes: tuple[int, ...]
    counts: Mapping[int, Counts]

    @property
    def promela(self) -> Path:
        return PEERS / f"{self.peer}.pml"

    def murphi(self, size: int) -> str:
        """The text of the Murphi model of that size."""
        return (PEERS / f"{self.peer}.m").read_text(encoding="utf-8").replace("@N@", str(size))


RING = Workload(
    name="ring",
    model=str(MODELS / "token_ring.py"),
    peer="token_ring",
    usual_sizes=(8,),
    counts={
        3: Counts(468, 1_350),
        4: Counts(2_928, 10_880),
        5: Counts(17_280, 78_600),
        6: Counts(98_064, 527_760),
        7: Counts(541_296, 3_364_200),
        8: Counts(2_927_232, 20_632_320),
        9: Counts(15_583_104, 122_821_920),
        10: Counts(81_933_120, 714_052_800),
        12: Counts(2_201_603_328, 22_856_463_360),
    },
)

PETERSON = Workload(
    name="peterson",
    model=f"{MODELS / 'peterson.py'}:Peterson",
    peer="peterson",
    usual_sizes=(3,),
    counts={2: Counts(574, 1_148), 3: Counts(96_854, 290_562), 4: Counts(26_209_918, 104_839_672)},
)

WORKLOADS = {workload.name: workload for workload in (RING, PETERSON)}
