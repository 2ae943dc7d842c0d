ABI_VERSION: int

class DerivedRules:
    """Flat lists (native/rules.h)."""

    initial: list[int]
    writes: list[int]
    keys: list[int]

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

    starts: list[int]
    """The words of all start states, one after the other."""
    stubborn: bool
    symmetry: bool
    matters: list[bool]
    visible: list[bool]
    repair: bool
    in_order: bool
    on_the_fly: bool
    idle_steps: bool
    max_states: int
    max_memory: int
    threads: int

    def __init__(self) -> None: ...
    def set_derived(self, model: int, rules: DerivedRules) -> None:
        """Stubborn sets by these rules, which speak of the facts of the `asset_model` at that address."""

    def require_in_states(self, requirement: int, predicate: int) -> None:
        """The predicate holds in every state. `requirement` is the number that a finding will have."""

    def require_in_terminal_states(self, requirement: int, predicate: int) -> None: ...
    def require_on_graph(
        self,
        requirement: int,
        rule: int,
        predicates: list[int],
        commands: list[list[int]],
        terminal_counts: bool,
        idle_steps: bool,
    ) -> None:
        """Requirements on the graph are decided in the order in which they were added (rules: native/progress.h)."""

    def set_automaton(
        self, shape: list[int], observations: list[int], moves: list[int], weak: list[int], strong: list[int]
    ) -> None:
        """Of the requirement on the graph that was added last (native/search.h, AutomatonData)."""

    def set_formula(self, parts: list[int]) -> None:
        """Of the requirement on the graph that was added last (native/search.h, BranchingPart)."""

    def add_followed(self, requirement: int, first: int, meanings: int, images: bytes, commands: list[int]) -> None:
        """A requirement on the graph that symmetries rename (native/search.h, Followed); `images` has a byte for each
        step and meaning."""

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
    def threads(self) -> int: ...
    @property
    def levels(self) -> list[int]:
        """How many states each level has, as far as all of the level was found; when the search has ended."""

    @property
    def repair_seconds(self) -> float: ...
    @property
    def product_vertices(self) -> int:
        """Of products that were searched on the fly; when the search has ended."""

    @property
    def product_edges(self) -> int: ...
    @property
    def frontier(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def memory_peak(self) -> int: ...
    @property
    def finding(self) -> tuple[int, int, int, int, int, int, list[int], list[int]] | None:
        """Requirement (-1 for a model error), during, predicate, command, progress_lost_at, cycle_starts_at (each of
        these four -1 if there is none), commands of the path, words of all its states."""
