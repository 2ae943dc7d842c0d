// A breadth-first search of a model's state space: what it is asked, how far it is, what it found.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "abi.h"
#include "approximation.h"
#include "checkpoints.h"
#include "memory.h"
#include "paging.h"
#include "profile.h"
#include "rules.h"

namespace asset {

struct Lost;
struct Space;
class DiskSearch;
class Levels;
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

// How states are kept, if none may be omitted.
enum class Storing : std::uint32_t {
    fitting, // in tables; as trees, if states are very wide or if memory ends and they are wide
    tables,
    tree, // as trees (tree.h)
};

class TreeShape;
struct Cutting;

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
    bool only_changes = false;                   // with derived rules: a command is fired only if it changes the state
    bool symmetry = false;                       // replace each state by its representative
    bool repair = false;                         // stubborn sets ignore nothing (ignoring.h)
    bool on_the_fly = false;      // decide the requirements on the graph, all of them temporal, while exploring
    bool idle_steps = false;      // a state is terminal only if no command is enabled, even one that changes nothing
    bool keep_going = false;      // a violation does not end the search: its requirement is not asked any more
    bool in_order = false;        // ask the model about one state after the other, not about many at once
    std::uint64_t max_states = 0; // 0: no limit
    // Where the search is told how far it has come (Standing), at a level's end: from so many states on, and again from
    // as many as the last, where it waits until it is told to go on. Empty if nobody asks.
    std::vector<std::uint64_t> stations{};
    std::uint64_t max_memory = 0; // bytes; 0: most of what is free
    unsigned threads = 1;
    Storing storing = Storing::fitting;
    std::string spill{};               // a folder for what memory does not hold (disk_search.h); empty if there is none
    Approximation approximation{};     // only for requirements of states, without stubborn sets
    unsigned sharing = 1;              // so many searches share what is free
    std::uint64_t few_bytes = 1 << 24; // of states that were expanded and are not needed: more are given up
    std::shared_ptr<Profile> profile{}; // told what the search spends its time with, if there is one; one thread only
    CheckpointOptions checkpoint{};
    Keeping keeping = Keeping::in_memory;          // of the states that were expanded; the search itself decides it
    std::shared_ptr<const TreeShape> tree_shape{}; // if it is known; the search itself sets it, and the next
    std::shared_ptr<const Cutting> cutting{};      // of wide states
    Overflow *overflow = nullptr; // files for what memory has no room for, if any; the search itself sets it
    // Called at a level's end, while no thread calls the model. The search itself sets it.
    std::function<void()> between_calls = [] {};
    // Called when a level was found, while no thread works. The search itself sets it.
    std::function<void(const Levels &)> at_level = [](const Levels &) {};

    // Whether sets may have to be widened after a search.
    bool repairs() const { return repair || !visible.empty(); }
};

// Throws std::invalid_argument if the model's ABI version is another, or if the options speak of what it does not have.
void check(const asset_model &model, const Options &options);

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

template <class Some> auto counts_of(Some &progress) {
    return std::array{&progress.states,   &progress.edges,           &progress.enabled,
                      &progress.expanded, &progress.terminal_states, &progress.depth};
}

inline void reset(Progress &progress) {
    for (auto *count : counts_of(progress))
        *count = 0;
}

// Others read a count meanwhile; only with Parallel, others add to it. Where levels have few states, locking it would
// take much of the time that they take.
template <bool Parallel> void add_to(std::atomic<std::uint64_t> &count, std::uint64_t more) {
    if constexpr (Parallel)
        count.fetch_add(more, std::memory_order_relaxed);
    else
        count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

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
    bool whole = true;                    // else the path could not be found: it is only the state where it ends, or,
                                          // for a requirement on the graph, one of the states that violate it

    template <class Archive> void archive(Archive &archive) {
        archive(requirement, during, predicate, command, progress_lost_at, cycle_starts_at, commands, states, whole);
    }

    // The path is not known, but this state is.
    void is_only(const std::uint64_t *state, std::size_t words) {
        commands.assign(1, none);
        states.assign(state, state + words);
        whole = false;
    }
};

// How far a search has come when a level was found.
struct Standing {
    std::vector<std::uint64_t> levels{};
    std::uint64_t states = 0, edges = 0;
};

class Search {
  public:
    // The model must outlive the search. Throws as `check` does, and SnapshotFailed if it cannot go on from the file
    // that the options name.
    Search(const asset_model &model, const Options &options);

    // Explores every reachable state, or up to the first finding or limit. Of a state's requirements, the first one in
    // their order that is violated is found. If everything was explored without a finding, the requirements on the
    // graph are decided, one after the other, up to the first finding there. If it is to keep going, only a model error
    // is a finding that ends it. To be called once.
    void run();

    // Ends the search soon; from any thread.
    void interrupt() {
        interrupted_ = true;
        go_on();
    }

    // At the stations that it has come to; from any thread.
    std::vector<Standing> standings() const;
    double waited_seconds() const { return waited_seconds_; } // when it has ended

    // It does not wait at the last station any more; from any thread.
    void go_on() {
        may_go_on_ = true;
        may_go_on_.notify_all();
    }

    // The same model, compiled better: its functions take over at the end of a level. From any thread; it must outlive
    // the search, as the model must.
    void improve(const asset_model &better);

    Stop stop() const { return stop_; }
    const Progress &progress() const { return progress_; }
    const Budget &budget() const { return budget_; }

    // What was found, in that order; at most one finding, unless the search is to keep going.
    const std::vector<Finding> &findings() const { return findings_; }
    const Finding *finding() const { return findings_.empty() ? nullptr : &findings_.front(); }

    // How many states each level has, as far as all of the level was found.
    const std::vector<std::uint64_t> &levels() const { return levels_; }
    const Checkpoints &checkpoints() const { return checkpoints_; }
    double repair_seconds() const { return repair_seconds_; }
    // Whether all states were explored, although what is asked of the graph may not be decided.
    bool explored() const { return explored_; }
    // The most bytes that were in files, if the search went on with files; and why that ended, if they failed.
    std::optional<std::uint64_t> spilled() const;
    std::string spill_failure() const;

    // Nodes of trees, if states are kept as trees; else none.
    std::optional<std::uint64_t> nodes() const { return nodes_; }
    const Profile *profile() const { return options_.profile.get(); }

    // The vertices and edges of products that were searched on the fly.
    std::uint64_t product_vertices() const { return product_vertices_; }
    std::uint64_t product_edges() const { return product_edges_; }

  private:
    // Searches are made one after the other, as far as they are needed.
    enum class Pass : std::uint32_t {
        first,
        alone, // with one thread, as several found that something is left out for ever
        shown, // for the way to what was found
    };

    // What a search found that did not find the way to it.
    struct Seen {
        Stop stop = Stop::finding;
        std::vector<Finding> findings;
        std::vector<std::uint64_t> counts, levels;
        bool explored = false;

        template <class Archive> void archive(Archive &archive) { archive(stop, findings, counts, levels); }
    };

    template <class Archive> void archive(Archive &archive) {
        std::vector<std::uint64_t> shape = {model_.state_words, model_.nr_commands, options_.threads > 1};
        const std::vector<std::uint64_t> expected = shape;
        archive(shape, pass_, tree_, packs_);
        if (shape != expected)
            throw SnapshotFailed("it is of another model, or of another number of threads");
        if (pass_ == Pass::shown)
            archive(seen_);
    }

    void take_better_code();
    void stand(const Levels &levels);
    bool is_whole() const { return std::ranges::all_of(findings_, &Finding::whole); }
    void explore_first();
    void explore_as_asked();
    bool may_fold() const;
    void explore_on_disk();
    Seen seen() const;
    void restore(const Seen &seen);
    void see();
    void show();
    template <bool Parallel> void explore();
    template <bool Parallel> void explore_in_tables(bool ids);
    template <bool Parallel> void explore_wide();
    template <bool Parallel> void explore_packed();
    template <bool Parallel> void explore_approximately();
    Keeping keeping() const;
    template <class Store, bool Parallel> void explore_with();
    template <class Explorer> void explore_on_the_fly(Explorer &explorer);
    template <bool Parallel, class Explorer> void repair(Explorer &explorer);
    template <bool Parallel, class Looking, class Explorer>
    bool widen(Explorer &explorer, const Space &space, WidenedGraph &graph);
    template <bool Parallel, class Explorer> void check_graph(Explorer &explorer);
    template <bool Parallel, class Explorer> void check_graph(Explorer &explorer, Budget &budget);
    void check_graph(DiskSearch &search);
    void decide(const std::function<std::optional<Lost>(std::size_t &)> &lost);

    asset_model model_; // its functions change if better ones come
    std::atomic<const asset_model *> better_{nullptr};
    const Options options_;
    Budget budget_;
    std::optional<Overflow> overflow_;
    Progress progress_;
    std::atomic<bool> interrupted_{false}, may_go_on_{false};
    mutable std::mutex standing_; // while `standings_` changes
    std::vector<Standing> standings_;
    Stop stop_ = Stop::interrupted;
    double repair_seconds_ = 0, waited_seconds_ = 0;
    bool explored_ = false;
    std::uint64_t product_vertices_ = 0, product_edges_ = 0;
    std::optional<std::uint64_t> nodes_, spilled_;
    std::string spill_failure_;
    bool leaving_out_ = false; // several threads found that something is left out for ever: one must repair it
    Pass pass_ = Pass::first;
    bool tree_;                                   // states are kept as trees, for want of memory or as asked
    std::shared_ptr<const TreeShape> tree_shape_; // if trees pay
    bool packs_ = true;                           // wide states are kept as keys, if these seem to suit
    std::shared_ptr<const Cutting> cutting_;      // if keys seem to suit
    Seen seen_{};                                 // in the last pass
    Checkpoints checkpoints_;
    std::vector<Finding> findings_;
    std::vector<std::uint64_t> levels_;
};

} // namespace asset
