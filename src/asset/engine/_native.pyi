ABI_VERSION: int

class DerivedRules:
    """Flat lists (native/rules.h)."""

    def __init__(
        self,
        nr_nodes: int,
        alternatives: list[int],
        obligations: list[int],
        cases: list[int],
        groups: list[int],
        truths: bytes,
        far: list[int],
    ) -> None: ...

class Options:
    """What a search is asked (native/search.h). A limit of 0 is none, or for memory, most of what is free."""

    checked: tuple[int, int, int, int]
    terminates: bool
    terminal_is_no_may_progress: bool
    terminal_is_no_must_progress: bool
    stubborn: bool
    symmetry: bool
    in_order: bool
    max_states: int
    max_memory: int
    threads: int

    def __init__(self) -> None: ...
    def set_derived(self, model: int, rules: DerivedRules) -> None:
        """Stubborn sets by these rules, which speak of the facts of the `asset_model` at that address."""

    def add_followed(self, kind: int, index: int, first: int, meanings: int, images: bytes) -> None:
        """A property that symmetries rename; `images` has a byte for each step and meaning."""

    def add_recurrence(self, index: int, again: list[int], then: list[int]) -> None: ...

class Search:
    def __init__(self, model: int, options: Options) -> None:
        """`model` is the address of an `asset_model`."""

    def run(self) -> None: ...
    def interrupt(self) -> None: ...
    @property
    def stop(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def enabled(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def terminal_states(self) -> int: ...
    @property
    def frontier(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def memory_peak(self) -> int: ...
    @property
    def finding(self) -> tuple[int, int, int, int, int, int, int, list[int], list[int]] | None:
        """Wrong, index, during, kind, command, progress_lost_at, cycle_starts_at (each of these four -1 where there is
        none), commands of the path, words of all its states."""
