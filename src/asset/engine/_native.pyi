ABI_VERSION: int

def available_memory() -> int:
    """Bytes that a search may take, unless it is given a limit."""

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
    keep_going: bool
    max_states: int
    max_memory: int
    threads: int
    sharing: int
    storing: int
    spill: str

    def __init__(self) -> None: ...
    def ask_profile(self) -> None:
        """The search is to tell where its time goes; it has one thread then."""

    def set_checkpoint(self, file: str, told: bytes, every: float, resume: bool) -> None:
        """The search is kept in the file (native/checkpoints.h)."""

    def approximate(self, kind: int, parameter: int, bytes: int, seed: int) -> None:
        """With a store that may omit states (native/approximation.h)."""

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
    def improve(self, model: int) -> None:
        """The same model, compiled better, takes over at the end of a level."""

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
    def nodes(self) -> int | None:
        """Of trees, if states were kept as trees; when the search has ended."""

    @property
    def spilled(self) -> int | None:
        """The most bytes that were in files at once, if the search went on with files."""

    @property
    def spill_failure(self) -> str:
        """Why files could not be written or read; empty if they could."""

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
    def checkpoint_failure(self) -> str: ...
    @property
    def profile(self) -> tuple[list[float], list[int]] | None:
        """If it was asked for: seconds by kind of work (native/profile.h), and the words of some states expanded."""

    @property
    def findings(self) -> list[tuple[int, int, int, int, int, int, list[int], list[int], bool]]:
        """Of each: requirement (-1 for a model error), during, predicate, command, progress_lost_at, cycle_starts_at
        (each of these four -1 if there is none), commands of the path, words of all its states, whether it is whole."""

class Simulation:
    def __init__(self, model: int, options: Options, seed: int, bounds: list[int], cells: list[int]) -> None:
        """`bounds` are the length of a run, the steps of all (0: no limit), and the lanes of a thread; `cells` has the
        word, shift and width of each counted cell."""

    def run(self) -> None: ...
    def interrupt(self) -> None: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def steps(self) -> int: ...
    @property
    def runs(self) -> int: ...
    @property
    def longest(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def terminal(self) -> int:
        """From here on: when it has ended."""

    @property
    def fired(self) -> list[int]: ...
    @property
    def values(self) -> list[list[int]]: ...
    @property
    def distinct(self) -> float: ...
    @property
    def found_length(self) -> int: ...
    @property
    def finding(self) -> tuple[int, int, int, int, int, int, list[int], list[int], bool] | None: ...

class Backward:
    """What a rank decides of the graph (native/backward.h)."""

    def link(self) -> bool: ...
    def receive_links(self, links: memoryview) -> None: ...
    def end_linking(self) -> None: ...
    def begin(self, requirement: int) -> tuple[int, tuple[int, int, int, int, list[int]]] | None:
        """A level, and what is wrong with a state of it."""

    def begin_leading_out(self) -> None: ...
    def last_unmarked_level(self) -> int: ...
    def go_back(self) -> bool: ...
    def receive(self, sources: memoryview) -> None: ...
    def outgoing(self, owner: int) -> list[memoryview]: ...
    def clear(self) -> None: ...
    def first_unmarked(self) -> tuple[int, tuple[int, int, int, int, list[int]]] | None: ...
    def steps(self, state: list[int]) -> list[tuple[int, list[int]]]: ...
    def is_unmarked(self, state: list[int]) -> bool: ...

class Rank:
    """One of the ranks of a cluster (native/rank.h). Views are of use until the rank does something else."""

    def start(self) -> None: ...
    def route(self, states: memoryview) -> int: ...
    def expand(self) -> bool: ...
    def outgoing(self, owner: int) -> list[memoryview]: ...
    def clear(self) -> None: ...
    def receive(self, states: memoryview) -> None: ...
    def end_level(self) -> int: ...
    def leading_out(self, by_keys: bool) -> Backward: ...
    def widen(self, level: int) -> int: ...
    def drop_level(self) -> None: ...
    def level(self) -> list[memoryview]: ...
    def predecessor(self, level: int, state: list[int]) -> tuple[list[int], int] | None: ...
    @property
    def wrong_before(self) -> tuple[int, int, int, int, list[int]] | None:
        """Requirement, during, predicate, command, and the words of the state."""

    @property
    def wrong_now(self) -> tuple[int, int, int, int, list[int]] | None: ...
    @property
    def wrong_so_far(self) -> tuple[int, int, int, int, list[int]] | None: ...
    @property
    def complete(self) -> bool: ...
    @property
    def words(self) -> int: ...
    @property
    def backward(self) -> Backward: ...
    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def enabled(self) -> int: ...
    @property
    def expanded(self) -> int: ...
    @property
    def terminal_states(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def memory_peak(self) -> int: ...

def rank(model: int, options: Options, number: int, ranks: int, room: int, keep: bool) -> Rank: ...
