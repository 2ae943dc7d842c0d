// Steps that change nothing. They are no steps for progress and termination: as an automaton, they lead nowhere.
#pragma once

#include "product.h"
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
    Unfolded &room;

    // Some states, until others are asked for.
    const Word *states(Range range) const { return arena.states(range, room); }
    const Word *state(Id id) const { return states({id, 1}); }

    // Ends what is done with the space if that was asked for: by Interrupted. And heeds the limit on memory.
    void heed_interrupt() const {
        budget.heed_pages();
        if (interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
    }
    // The same in a loop over states or edges, in which it is this one's turn: now and then.
    void heed_interrupt(std::uint64_t at) const {
        constexpr std::uint64_t now_and_then = 1 << 12;
        budget.heed_pages();
        if (at % now_and_then == 0)
            heed_interrupt();
    }
};

class IdleEdges {
  public:
    static constexpr bool single = true;

    // None, if nobody wants them. Throws Interrupted.
    IdleEdges(const Space &space, const Graph &graph, bool wanted);

    bool any() const { return any_; }
    bool has(Edge edge) const { return any_ && idle_[edge]; }

    // Whether all edges of the state are idle.
    bool all_of(Id id) const { return idle_.next_unset(graph_.first_edge(id)) >= graph_.end_edge(id); }

    Modes after(Edge edge, unsigned) const { return !idle_[edge]; }
    Modes before(Edge edge, Modes modes) const { return idle_[edge] ? 0 : modes; }

  private:
    void find_loops(const Space &space);
    void find_by_firing(const Space &space);
    void add(Edge edge) {
        idle_.set(edge);
        any_ = true;
    }

    const Graph &graph_;
    Bits idle_;
    bool any_ = false;
};

} // namespace asset
