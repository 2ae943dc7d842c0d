"""What deriving stubborn set rules costs (`python benchmarks/derivation.py`): more commands, and wider variables.

Linear means that the last column stays about the same from 10 to 1,000 commands; the rows of one model with variables
of 3, 8 and 16 bits should take about the same time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))

sys.path.append(str(Path(__file__).parent.parent / "models"))

from bounded_buffer import BoundedBuffer
from measure import markdown_table
from scaling_models import Bytes, Counters, Paxos, Pool, Ring, Sorting, Swaps

from asset import Model
from asset.analysis.stubborn.derivation import derive
from asset.frontends.python import compile_model


def models() -> Iterator[Model]:
    yield from (Counters(n=n) for n in (10, 100, 1000))
    yield from (Ring(n=n) for n in (3, 33, 333))
    yield from (Pool(n=n) for n in (5, 50, 500))
    yield from (Bytes(bits=bits) for bits in (3, 4, 5, 6, 7, 8, 16))
    yield from (BoundedBuffer(producers=n, consumers=n - 1, capacity=4) for n in (4, 7, 10))
    yield from (made for n in (5, 8, 11) for made in (Swaps(n=n), Sorting(n=n)))
    yield from (Paxos(ballots=ballots) for ballots in (2, 3))


def measured(made: Model) -> tuple[str, ...]:
    program = compile_model(made)
    start = time.process_time()
    derive(program, program.requirements)
    seconds = time.process_time() - start
    name = str(made).partition(")")[0].strip("<") + ")"
    each = f"{1000 * seconds / program.nr_commands:.1f}"
    return name, f"{program.nr_commands}", f"{seconds:.2f}", each


def main() -> None:
    print(markdown_table(("model", "commands", "seconds", "ms for each command"), list(map(measured, models()))))


if __name__ == "__main__":
    main()
