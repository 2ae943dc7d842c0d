// A breadth-first search of a model's state space: what it is asked, how far it is, what it found.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "abi.h"
#include "memory.h"
#include "rules.h"

namespace asset {

struct Space;
class WidenedGraph;

inline constexpr std::int32_t none = -1;

// What is required. `requirement` is a number that the caller gives and that findings name.

// The predicate holds, in every state or in every terminal state.
struct StateRequirement {
    std::int32_t requirement = none;
    std::uint32_t predicate = 0;
};

// What an automaton observes of a run: a predicate of the state, whether a command of a set is enabled or fired, or a
// predicate of the step to the next state. `number` is that of the predicate, or of the set among the requirement's.
struct Observation {
    enum class Kind : std::uint32_t { holds, enabled, taken, of_step };
    Kind kind = Kind::holds;
    std::uint32_t number = 0;
};

// A move of an automaton under the letters that have the observations `yes` and lack those of `no`, as bits in as many
// words as there must be.
struct Move {
    std::uint32_t source = 0, target = 0;
    std::uint64_t marks = 0;
    std::vector<std::uint64_t> yes{}, no{};
};

// An automaton (asset.logic.automata), with the fairness that the runs it may accept obey: sets of commands.
struct AutomatonData {
    std::vector<Observation> observations{};
    std::uint32_t modes = 0;
    std::uint32_t initial = 0;
    std::uint32_t acceptance = 0;           // sets, at most 64
    std::vector<std::uint32_t> promising{}; // modes: no other is on a cycle with all acceptance sets
    std::vector<Move> moves{};
    std::vector<std::uint32_t> weak{}, strong{}; // at most 64 sets each, by their numbers among the requirement's

    std::size_t words() const { return (observations.size() + 63) / 64; }
};

// A part of a formula of branching time logic; those that it is made of come before it, and are named by number.
struct BranchingPart {
    enum class Op : std::uint32_t { constant, observed, negated, both, either, some_next, some_until, some_always };
    Op op = Op::constant;
    std::uint32_t left = 0; // of a constant its value, of an observation its number
    std::uint32_t right = 0;
};

// What can be decided only if all states and edges are known, as data: predicates, sets of commands, whether a
// terminal state is as good as one in which the predicate holds, an automaton, and a formula, whose observations are
// those of the automaton. The rule says what it means (progress.h).
struct GraphRequirement {
    std::int32_t requirement = none;
    std::uint32_t rule = 0;
    std::vector<std::uint32_t> predicates{};
    std::vector<std::vector<std::uint32_t>> commands{};
    bool terminal_counts = true;
    bool idle_steps = false; // a step that changes nothing is a step
    AutomatonData automaton{};
    std::vector<BranchingPart> formula{};
};

// A requirement on the graph that symmetries rename. The meanings of its first predicate are those from `first` on in
// asset_model.holds, and those of the others follow. `images` has, for each step of asset_model.steps, what each
// meaning becomes, and `commands`, for each meaning, the command that each command of a representative stands for.
struct Followed {
    std::int32_t requirement = none;
    std::uint32_t first = 0;
    std::uint32_t meanings = 0; // at most 64
    std::vector<std::uint8_t> images{};
    std::vector<std::uint32_t> commands{};
};

struct Options {
    std::vector<std::uint64_t> starts{}; // the words of all states to start in, one state after the other
    std::vector<StateRequirement> in_states{};
    std::vector<StateRequirement> in_terminal_states{};
    std::vector<GraphRequirement> on_graph{};
    std::vector<Followed> followed{};
    bool stubborn = false;                       // fire only a stubborn set, by the model's rules, in each state
    std::shared_ptr<const RuleTables> derived{}; // instead of those: fire only a stubborn set by these rules
    std::vector<bool> matters{};                 // with derived rules: the commands that are fired; all, if it is empty
    std::vector<bool> visible{};                 // with derived rules: the visible commands, all of which are in a set
                                                 // with an enabled one, and no cycle leaves them out (postponing.h);
                                                 // empty if no formula is to be preserved
    bool symmetry = false;                       // replace each state by its representative
    bool repair = false;                         // stubborn sets ignore nothing (ignoring.h)
    bool on_the_fly = false;      // decide the requirements on the graph, all of them temporal, while exploring
    bool idle_steps = false;      // a state is terminal only if no command is enabled, even one that changes nothing
    bool in_order = false;        // ask the model about one state after the other, not about many at once
    std::uint64_t max_states = 0; // 0: no limit
    std::uint64_t max_memory = 0; // bytes; 0: most of what is free
    unsigned threads = 1;
    Keeping keeping = Keeping::in_memory; // of the states that were expanded; the search itself decides it

    // Whether sets may have to be widened after a search.
    bool repairs() const { return repair || !visible.empty(); }
};

enum class Stop { complete, finding, max_states, max_memory, interrupted };

// The counts of a search, readable by other threads while it runs.
struct Progress {
    std::atomic<std::uint64_t> states{0};
    std::atomic<std::uint64_t> edges{0};
    std::atomic<std::uint64_t> enabled{0}; // commands, with derived rules also those that were not fired
    std::atomic<std::uint64_t> expanded{0};
    std::atomic<std::uint64_t> terminal_states{0};
    std::atomic<std::uint64_t> depth{0};
    std::atomic<unsigned> threads{1}; // fewer than asked for if the system refuses more
};

// What a model error occurred in.
enum class During { firing, predicate, rule, representative, step };

// Something bad, with a shortest path to it: a requirement that is violated, or, if that is none, a model error.
//
// For a requirement on the graph, the path goes on from the first state that violates it, at `progress_lost_at`, to a
// terminal state or back to the state at `cycle_starts_at`.
//
// A model error occurs in the last state: `during` firing `command`; evaluating `predicate`; evaluating the rule of
// `command`; finding the representative of what `command` leads to (of a start state if it is none); or evaluating a
// predicate of the step by `command` (none if the state is terminal).
struct Finding {
    std::int32_t requirement = none;
    During during = During::firing;
    std::int64_t predicate = none;
    std::int64_t command = none;
    std::int64_t progress_lost_at = none;
    std::int64_t cycle_starts_at = none;
    std::vector<std::int64_t> commands{}; // the path: none, which leads to a start state, then one for each step
    std::vector<std::uint64_t> states{};  // as many, one after the other
};

class Search {
  public:
    // The model must outlive the search. Throws std::invalid_argument if its ABI version is another, or if the options
    // speak of what it does not have.
    Search(const asset_model &model, const Options &options);

    // Explores every reachable state, or up to the first finding or limit. Of a state's requirements, the first one in
    // their order that is violated is found. If everything was explored without a finding, the requirements on the
    // graph are decided, one after the other, up to the first finding there. To be called once.
    void run();

    // Ends the search soon; from any thread.
    void interrupt() { interrupted_ = true; }

    Stop stop() const { return stop_; }
    const Progress &progress() const { return progress_; }
    const Budget &budget() const { return budget_; }
    const std::optional<Finding> &finding() const { return finding_; }

    // How many states each level has, as far as all of the level was found.
    const std::vector<std::uint64_t> &levels() const { return levels_; }
    double repair_seconds() const { return repair_seconds_; }

    // The vertices and edges of products that were searched on the fly.
    std::uint64_t product_vertices() const { return product_vertices_; }
    std::uint64_t product_edges() const { return product_edges_; }

  private:
    template <bool Parallel> void explore();
    Keeping keeping() const;
    template <class Store, bool Parallel> void explore_with();
    template <class Explorer> void explore_on_the_fly(Explorer &explorer);
    template <bool Parallel, class Explorer> void repair(Explorer &explorer);
    template <bool Parallel, class Looking, class Explorer>
    bool widen(Explorer &explorer, const Space &space, WidenedGraph &graph);
    template <bool Parallel, class Explorer> void check_graph(Explorer &explorer);

    const asset_model &model_;
    const Options options_;
    Budget budget_;
    Progress progress_;
    std::atomic<bool> interrupted_{false};
    Stop stop_ = Stop::interrupted;
    double repair_seconds_ = 0;
    std::uint64_t product_vertices_ = 0, product_edges_ = 0;
    bool leaving_out_ = false; // several threads found that something is left out for ever: one must repair it
    bool to_be_shown_ = false; // a search has found something; this one finds the way to it
    std::optional<Finding> finding_;
    std::vector<std::uint64_t> levels_;
};

} // namespace asset
