// What says whose a state is, so that most successors stay with the rank that finds them.
//
// A step changes few bits. If the owner of a state is told by the parity of some of its bits, it is another one's only
// if the step changes an odd number of these. So bits are chosen, by simulated annealing, whose parity few steps
// change, and which is odd in half of the states: also in half of those states that have any one other bit set, and of
// those that have it not, as levels to come may have more of the one or of the other. For more than two ranks there are
// more such parities, each of which halves what the others leave together.
//
// All of that is estimated from states and steps that were met; whose a state is changes no answer.
#pragma once

#include <span>
#include <vector>

#include "arena.h"
#include "successors.h"

namespace asset {

// States, evenly chosen; all of them must be kept.
std::vector<Id> sampled(std::span<const std::vector<Range>> levels);

class Locality {
  public:
    explicit Locality(std::size_t words) : words_(words) {}

    // States with their steps; and what walks from some of them come to.
    void add_level(Successors &successors, std::span<const Word> states);

    // The masks for so many ranks, one after the other; none if a hash of all bits serves better.
    std::vector<Word> parities(unsigned ranks) const;

  private:
    void add(Successors &successors, std::span<const Word> states);

    const std::size_t words_;
    std::vector<Word> states_;
    std::vector<std::size_t> ends_; // of states that were met in the same way
    std::vector<Word> changes_;     // bits that steps change, as many words for each step
};

} // namespace asset
