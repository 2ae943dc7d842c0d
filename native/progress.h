// What can only be said of a whole state space: progress and recurrence.
#pragma once

#include <optional>

#include "graph.h"
#include "idle.h"
#include "lasso.h"
#include "settling.h"
#include "successors.h"

namespace asset {

class AnnotatedGraph;

// What is wrong in a state, and how it goes on for ever; the finding has no path yet. `way` are the edges that lead
// to this one from the state `begin`, where the search began, if not any shortest way to it will do.
struct Lost {
    Finding finding;
    Id state;
    Lasso lasso{};
    std::optional<std::vector<Edge>> way{};
    Id begin = 0;
};

// The rules by which requirements on the graph are decided. asset/engine/native.py numbers them in the same order.
enum class Rule : std::uint32_t {
    may_progress,  // from every state a state can be reached that is good: the predicate holds there
    must_progress, // every run comes to a good state again and again
    recurrence,    // if commands of the first set occur infinitely often, so do commands of the second
    termination,   // from every state a terminal state can be reached
    temporal,      // no fair run is accepted by the automaton
    branching,     // the formula of branching time logic holds in the start states
};

// Whether there is such a rule, and it has the predicates and sets of commands that it is about.
bool is_well_formed(const GraphRequirement &required);

class GraphChecks {
  public:
    // Without `lassos`, nothing is said of how it goes on.
    GraphChecks(const Space &space, const Graph &graph, bool lassos);

    // Of the first requirement that is violated, from number `next` on, the first state in the order of ids that
    // violates it; or the first state in which evaluating a predicate is a model error. `next` is then that after it.
    std::optional<Lost> first_lost(std::size_t &next) const;

  private:
    std::optional<Lost> first_lost_of(const GraphRequirement &required) const;
    std::optional<Lost> lost_formula(const GraphRequirement &required, const AnnotatedGraph *annotated) const;
    const Followed *followed(const GraphRequirement &required) const;
    std::optional<Lost> lost_progress(const GraphRequirement &required, Settles rule) const;
    template <class Steps>
    std::optional<Lost> lost_progress_by(const GraphRequirement &required, Settles rule, const Steps &steps) const;
    std::optional<Lost> lost_progress(const GraphRequirement &required, Settles rule, const Followed &followed) const;
    std::optional<Lost> lost_recurrence(const GraphRequirement &required) const;

    // Whether a terminal state is good, and this is one.
    bool ends_well(const GraphRequirement &required, Id id) const;

    // Adds every state that is not good, up to the first in which evaluating the predicate is a model error.
    std::optional<Lost> find_bad(const GraphRequirement &required, VertexSet<true> &bad) const;

    // Adds every vertex that was reached and is not good to one of the sets.
    void find_bad(const GraphRequirement &required, const Followed &followed, const VertexSet<false> &reached,
                  VertexSet<false> &bad, std::optional<VertexSet<false>> &faulty) const;

    const Space &space_;
    const Graph &graph_;
    const bool lassos_;
    const IdleEdges idle_; // none, if no requirement asks
};

} // namespace asset
