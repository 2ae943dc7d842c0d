// The successors of some states, and the first thing that is wrong with them.
#pragma once

#include <algorithm>
#include <optional>

#include "predicates.h"
#include "successors.h"

namespace asset {

// What ends a search, where in the batch, and how much of the batch was done by then.
struct Event {
    Stop stop = Stop::finding;
    std::uint64_t source = 0;
    std::uint64_t expanded = 0; // sources all of whose commands were tried
    std::uint64_t edges = 0;
    std::uint64_t states = 0; // that were new
    Finding finding{};
    bool in_successor = false; // the finding's state is the last successor counted, not the source
};

// Successors, which of them are new, and what is required of those. Each thread has its own.
class Batch {
  public:
    Batch(Budget &budget, const asset_model &model, const Options &options, const Effort &effort,
          const Widened &widened);

    std::size_t capacity() const { return successors_.capacity(); }

    Successors &successors() { return successors_; }
    const Successors &successors() const { return successors_; }

    // The successors are those of these sources, which lie one after the other; none of them is marked.
    void expand(const Arena &arena, Range sources) {
        successors_.expand(arena, sources);
        nr_new_ = 0;
    }

    std::size_t edges() const { return successors_.edges(); }
    const Word *successor(std::size_t edge) const { return successors_.successor(edge); }

    // To be called for each successor that is new, in their order.
    void mark_new(std::size_t edge) { new_[nr_new_++] = static_cast<std::uint32_t>(edge); }
    std::size_t nr_new() const { return nr_new_; }

    // Those of the first sources in which no command was enabled.
    std::uint64_t nr_terminal(std::size_t sources) const;

    // The first event in the order in which one state after the other is expanded, one command after the other, given
    // that `room` more states are allowed. To be asked after every new successor was marked.
    std::optional<Event> first_event(std::uint64_t room);

    // The requirement of states is not asked any more.
    void leave_out(std::int32_t requirement) {
        in_states_.leave_out(requirement);
        in_terminal_states_.leave_out(requirement);
    }

    // What is wrong with a state, if anything; for a start state, which no edge leads to.
    std::optional<Finding> wrong_with(const Word *state);

  private:
    using Violation = StateRequirements::Violation;

    std::optional<Event> state_event(std::size_t nr_new);
    std::optional<Event> terminal_event();
    Event limit_event(std::size_t nr_new) const;
    Event fault_event() const;

    void gather(std::size_t position, const Word *state);
    std::size_t new_before(std::size_t edge) const;

    const std::size_t words_;
    Successors successors_;
    StateRequirements in_states_;
    StateRequirements in_terminal_states_;
    Region region_;
    Word *gathered_;            // capacity states, whose predicates are evaluated
    std::uint32_t *new_;        // capacity * nr_commands: numbers of edges
    std::uint32_t *candidates_; // capacity: terminal sources
    std::size_t nr_new_ = 0;
};

} // namespace asset
