// The successors of some states: by all commands or by those of a stubborn set, as they are or as representatives.
#pragma once

#include <optional>

#include "abi.h"
#include "arena.h"
#include "search.h"
#include "stubborn.h"

namespace asset {

// A model error in a source: no later command was fired there.
struct Fault {
    std::uint64_t source;
    During during;
    std::int64_t command;
};

// Expands up to `capacity` sources at a time, into buffers of its own. Each thread has its own.
class Successors {
  public:
    Successors(Budget &budget, const asset_model &model, const Options &options);

    std::size_t capacity() const { return capacity_; }
    std::uint32_t nr_commands() const { return model_.nr_commands; }

    // Fires commands in each of the sources, which lie one after the other, as far as the first fault.
    void expand(const Word *sources, std::size_t count);

    const Word *source(std::size_t number) const { return sources_ + number * words_; }
    std::size_t sources() const { return count_; }
    const std::optional<Fault> &fault() const { return fault_; }

    // Sources all of whose successors are here. Only theirs, and that of the faulty source, are degrees.
    std::size_t complete() const { return fault_ ? fault_->source : count_; }
    std::uint32_t degree(std::size_t source) const { return degrees_[source]; }

    std::size_t edges() const { return edges_; }
    const Word *successor(std::size_t edge) const { return successors_ + edge * words_; }
    std::size_t source_of(std::size_t edge) const;
    std::size_t first_edge(std::size_t source) const;

    // The commands that lead to the first `edges` successors. Where all were fired at once it must fire again.
    const std::uint32_t *commands(std::size_t edges);

  private:
    void fire_all();
    void fire_stubborn();
    void take_representatives();

    const asset_model &model_;
    const std::size_t words_;
    const std::size_t capacity_;
    const bool symmetry_;
    std::optional<StubbornSets> stubborn_;
    Region region_;
    Word *successors_;        // capacity * nr_commands states
    Word *fired_;             // one state
    std::uint32_t *commands_; // capacity * nr_commands
    std::uint32_t *degrees_;  // capacity

    const Word *sources_ = nullptr;
    std::size_t count_ = 0;
    std::size_t edges_ = 0;
    std::optional<Fault> fault_;
};

} // namespace asset
