// Whether commands of one set can occur infinitely often while those of another do not (Theorem 6).
#pragma once

#include "progress.h"

namespace asset {

// The cycles that fire no command of `then`.
class RecurrenceCheck {
  public:
    // Looks at the commands of all edges. Throws Interrupted.
    RecurrenceCheck(const Space &space, const Graph &graph, const GraphRequirement &required);

    // The first state on a cycle that fires a command of `again`.
    std::optional<Id> first_lost();

    // The shortest such cycle through that state.
    Lasso cycle_through(Id state) const;

  private:
    // Edges that fire a command of `then` lead nowhere.
    struct Without {
        static constexpr bool single = true;
        Modes after(Edge edge, unsigned) const { return !then[edge]; }
        Modes before(Edge edge, Modes modes) const { return then[edge] ? 0 : modes; }
        const Bits &then;
    };

    // From then on that a command of `again` was fired, the mode is 1.
    struct Fired {
        static constexpr bool single = false;
        Modes after(Edge edge, unsigned mode) const { return then[edge] ? 0 : mode || again[edge] ? 2 : 1; }
        Modes before(Edge edge, Modes modes) const {
            return (after(edge, 0) & modes ? 1 : 0) | (after(edge, 1) & modes ? 2 : 0);
        }
        const Bits &then, &again;
    };

    void name_edges(const GraphRequirement &required);

    const Space &space_;
    const Graph &graph_;
    Bits then_;  // edges that fire a command of `then`
    Bits again_; // edges that fire a command of `again` and none of `then`
    const Without without_{then_};
    const Product<Without> product_;
    Components<Product<Without>> components_;
};

} // namespace asset
