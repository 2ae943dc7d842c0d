// Formulas decided while exploring: states are expanded when the search for an accepting run comes to them, and the
// first run that violates a formula ends it. If there is none, the rest of the states is explored too.
// asset/engine/on_the_fly.py is the specification.
#pragma once

#include <functional>

#include "batch.h"
#include "frontier.h"
#include "letters.h"
#include "simd.h"

namespace asset {

// Expands states that were found and never expanded, and notes the ids of their successors, in order.
struct Expanded {
    std::optional<Event> event; // what ended the search there
    std::span<const Id> targets;
};
using Expand = std::function<Expanded(Range)>;

// The states that were found so far, the edges of those that were expanded, and what automata read of these.
class SpaceOnDemand {
  public:
    // Ends the search. What is wrong, if anything is, is wrong in the state, or in the state that its edge leads to.
    struct Ended {
        Stop stop;
        Finding finding{};
        Id state = 0;
        std::optional<std::uint32_t> edge{};
    };

    // Reads for each requirement on the graph. Some states were found: those that the search starts in.
    SpaceOnDemand(const Space &space, Expand expand);

    std::span<const Id> starts() const { return starts_; }
    Id states() const { return static_cast<Id>(first_.size()); }
    bool expanded(Id state) const { return first_[state]; }

    // The state has edges now. Throws Ended.
    void expand(Id state) {
        ++nr_asked_;
        if (!expanded(state))
            expand_together(state);
    }

    // Bring where the state's edges are closer, and then these, if it was expanded.
    ASSET_INLINE void prefetch(Id state) const { __builtin_prefetch(&first_[state]); }
    ASSET_INLINE void prefetch_edges(Id state) const { __builtin_prefetch(&records_[first_[state]]); }

    // A terminal state has one edge, to itself.
    bool terminal(Id state) const { return records_[first_[state] - 1] == 0; }
    std::uint32_t degree(Id state) const { return std::max<std::uint32_t>(records_[first_[state] - 1], 1); }
    Edge edge(Id state, std::uint32_t number) const { return first_[state] + number; }
    Id target(Edge edge) const { return records_[edge]; }

    const Letters &letters(std::size_t formula) const { return *read_[formula].letters; }
    ReadEdges edges(std::size_t formula, Id state) const {
        const Edge first = first_[state];
        const Read &read = read_[formula];
        const std::uint32_t *letters = read.differ ? &read.of_edges[first] : &records_[first - 2 - formula];
        return {first, std::max<std::uint32_t>(records_[first - 1], 1), &records_[first], letters, read.differ};
    }

    // How far the farthest of the states is that were found.
    std::size_t depth() const;

    // The edges of a shortest way to a state, among those that are known; and the state that it begins in.
    std::pair<Id, std::vector<Edge>> way_to(Id state) const;

  private:
    // What was read for a formula: a letter for each edge, if these may differ.
    struct Read {
        std::unique_ptr<Letters> letters;
        bool differ;
        Sequence<std::uint32_t> of_edges;
    };

    // States that were found one after the other are expanded together: it is quicker. Not all of them may be asked
    // for; if too few were so far, fewer are expanded together.
    static constexpr Id few_together = 16, many_together = 128;
    static constexpr std::uint64_t most_for_one = 2; // that are expanded for one that is asked for

    void expand_together(Id first);
    void expand(Range sources);
    void keep_edges(Range sources, std::span<const Id> targets);
    void read(Range sources, std::size_t formula);
    void know_found();

    const Space &space_;
    const Expand expand_;
    Sequence<Edge> first_; // of each state, its first edge; 0 if it was not expanded
    // For each state that was expanded: its letter for each formula for which its edges do not differ, that of the last
    // formula first; how many edges it has; and their targets. One piece of memory has all that the search asks.
    Sequence<std::uint32_t> records_;
    std::vector<Read> read_;
    std::vector<Id> starts_;
    std::uint64_t nr_asked_ = 0, nr_expanded_ = 0;
};

class OnTheFly {
  public:
    OnTheFly(const Space &space, const Levels &levels, Expand expand)
        : space_(space), levels_(levels), explored_(space, std::move(expand)) {}

    // Decides the requirements on the graph, which are formulas of linear time logic, one after the other.
    Stop run();

    const std::optional<Finding> &finding() const { return finding_; }
    std::size_t depth() const { return explored_.depth(); }

    // Of the products that were searched.
    std::uint64_t vertices() const { return vertices_; }
    std::uint64_t edges() const { return edges_; }

  private:
    bool is_violated(std::size_t formula);
    template <class Check> bool finds_violation(Check &check, std::size_t formula);
    void show(const Lost &lost);
    void show(const SpaceOnDemand::Ended &ended);
    void follow(Id from, std::span<const Edge> edges);

    const Space &space_;
    const Levels &levels_;
    SpaceOnDemand explored_;
    std::optional<Finding> finding_;
    std::uint64_t vertices_ = 0, edges_ = 0;
};

} // namespace asset
