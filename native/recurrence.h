// Whether commands of one set can occur infinitely often while those of another do not (Theorem 6).
#pragma once

#include <optional>

#include "lasso.h"
#include "successors.h"

namespace asset {

// The cycles that fire no command of `then`.
class RecurrenceCheck {
  public:
    RecurrenceCheck(Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted);

    // Looks at the commands of all edges: those of the states in the arena, expanded again.
    void name_edges(const RecurrenceRequirement &recurrence, const Arena &arena, Successors &successors);

    // The first state on a cycle that fires a command of `again`.
    std::optional<Id> first_lost();

    // The shortest such cycle through that state.
    Lasso cycle_through(Id state);

  private:
    Budget &budget_;
    const Graph &graph_;
    const std::atomic<bool> &interrupted_;
    Bits then_;  // edges that fire a command of `then`
    Bits again_; // edges that fire a command of `again` and none of `then`
    Components components_;
};

} // namespace asset
