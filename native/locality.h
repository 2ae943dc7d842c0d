// Which bits of a state say whose it is, so that most successors stay with the rank that finds them.
//
// A step changes few variables. If the owner of a state is told by bits that few steps change, a state mostly has the
// owner of its predecessors, and need not be sent. But the fewer bits there are, the less evenly states are shared. So
// bits are added, those first that tell many states apart and are changed by few steps, until states are shared evenly
// enough. All of that is estimated from states and steps that were met; whose a state is changes no answer.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "arena.h"

namespace asset {

// States of the last levels, evenly chosen; all states of these levels must be kept.
std::vector<Id> sampled(std::span<const std::vector<Range>> levels);

class Locality {
  public:
    using Changes = std::map<std::vector<Word>, std::uint64_t>; // bits, and how many steps change just these

    explicit Locality(std::size_t words) : words_(words) {}

    void add_state(const Word *state) { states_.insert(states_.end(), state, state + words_); }
    void add_step(const Word *from, const Word *to);

    // The bits for so many ranks, as words; none if all bits serve better.
    std::vector<Word> bits(unsigned ranks) const;

  private:
    const std::size_t words_;
    std::vector<Word> states_;
    Changes changes_;
};

} // namespace asset
