// What can only be said of a whole state space: may and must progress, recurrence, termination.
#pragma once

#include <optional>

#include "graph.h"
#include "lasso.h"
#include "settling.h"
#include "successors.h"

namespace asset {

// A state space that was explored completely.
struct Space {
    const asset_model &model;
    const Options &options;
    Budget &budget;
    const std::atomic<bool> &interrupted;
    const Arena &arena;
    Successors &successors;
};

// What is wrong in a state, and how it goes on for ever; the finding has no path yet. `way` are the edges that lead from
// the initial state to this one, where not any shortest way to it will do.
struct Lost {
    Finding finding;
    Id state;
    Lasso lasso{};
    std::optional<std::vector<Edge>> way{};
};

class ProgressChecks {
  public:
    // Without `lassos`, nothing is said of how it goes on.
    ProgressChecks(const Space &space, const Graph &graph, bool lassos)
        : space_(space), graph_(graph), lassos_(lassos) {}

    // The first violation, in the first state in the order of ids that violates: of each may property, each must
    // property, each recurrence, and termination; or the first model error in a property of a kind to be checked.
    std::optional<Lost> first_lost();

  private:
    std::optional<Lost> first_lost_of(int kind);
    std::optional<Lost> first_lost_of(int kind, std::uint32_t index);
    std::optional<Lost> lost_recurrence(const Recurrence &recurrence);

    // Clears the bit of every state that is neither accepted by the property nor, where those count, terminal.
    std::optional<Lost> find_good(int kind, std::uint32_t index, Bits &good) const;

    // The first state that is not settled by the good ones.
    std::optional<Lost> first_unsettled(Bits &good, Settles rule, const Finding &finding) const;

    const Followed *followed(int kind, std::uint32_t index) const;
    bool terminal_counts(int kind) const;

    const Space &space_;
    const Graph &graph_;
    const bool lassos_;
};

} // namespace asset
