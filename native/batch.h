// The successors of some states, and the first thing that is wrong with them.
#pragma once

#include <algorithm>
#include <optional>

#include "arena.h"
#include "search.h"

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

// Buffers for expanding up to `capacity` sources at a time. Each thread has its own.
class Batch {
  public:
    Batch(Budget &budget, const asset_model &model);

    std::size_t capacity() const { return capacity_; }

    // Fires every command in each of the sources, which lie one after the other.
    void expand(const Word *sources, std::size_t count);

    std::size_t edges() const { return edges_; }
    const Word *successor(std::size_t edge) const { return successors_ + edge * words_; }

    std::size_t source_of(std::size_t edge) const;

    // To be called for each successor that is new, in their order.
    void mark_new(std::size_t edge) { new_[nr_new_++] = static_cast<std::uint32_t>(edge); }
    std::size_t nr_new() const { return nr_new_; }

    // Sources all of whose commands were tried, and those of them where none was enabled.
    std::size_t nr_expanded() const { return fault_.code ? fault_.state : count_; }
    std::uint64_t nr_terminal(std::size_t sources) const;

    // The first event in the order in which one state after the other is expanded, one command after the other, given
    // that `room` more states are allowed. To be asked after every new successor was marked.
    std::optional<Event> first_event(const Options &options, std::uint64_t room);

    // What is wrong with a state's checked invariants, if anything; for the initial state, which no edge leads to.
    std::optional<Finding> wrong_with(const Word *state, std::uint64_t checked);

  private:
    struct Bad {
        std::size_t state;
        Finding finding;
    };
    // The first of `count` gathered states where a checked property of the kind is violated, or faults.
    std::optional<Bad> first_bad(std::size_t count, int kind, std::uint64_t checked);

    std::optional<Event> invariant_event(std::uint64_t checked, std::size_t nr_new);
    std::optional<Event> terminal_event(std::uint64_t checked);
    Event limit_event(std::size_t nr_new) const;
    Event fault_event() const;

    void gather(std::size_t position, const Word *state);
    std::size_t new_before(std::size_t edge) const;

    const asset_model &model_;
    const std::size_t words_;
    const std::size_t capacity_;
    Region region_;
    Word *successors_;          // capacity * nr_commands states
    Word *gathered_;            // capacity states, whose properties are evaluated
    std::uint64_t *labels_;     // capacity
    std::uint32_t *new_;        // capacity * nr_commands: numbers of edges
    std::uint32_t *degrees_;    // capacity: how many successors each source has
    std::uint32_t *candidates_; // capacity: terminal sources

    const Word *sources_ = nullptr;
    std::size_t count_ = 0;
    std::size_t edges_ = 0;
    std::size_t nr_new_ = 0;
    asset_fault fault_{};
};

} // namespace asset
