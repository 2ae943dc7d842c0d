// Whether looking for stubborn sets pays: decided where a level of the search ends, from counts alone, so that it is the
// same for any number of threads. asset/engine/effort.py is the specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arena.h"

namespace asset {

class Effort {
  public:
    // Whether stubborn sets are looked for in the states of the level at hand.
    bool reducing() const { return pause_ == 0; }

    // A level was explored. `enabled` and `fired` count the commands in its states.
    void end_level(std::uint64_t states, std::uint64_t enabled, std::uint64_t fired) {
        if (pause_) {
            --pause_;
            return;
        }
        states_ += states;
        enabled_ += enabled;
        fired_ += fired;
        if (states_ < enough)
            return;
        const bool pays = most_fired_of * fired_ <= most_fired * enabled_;
        next_pause_ = pays ? 1 : 2 * next_pause_;
        pause_ = pays ? 0 : next_pause_ / 2;
        states_ = enabled_ = fired_ = 0;
    }

    // The states of the level at hand, where everything is fired.
    void add_full(Range states) {
        const auto place = std::upper_bound(full_.begin(), full_.end(), states.first, before);
        full_.insert(place, states);
    }

    // Whether everything is fired in the state.
    bool full(Id id) const {
        const auto after = std::upper_bound(full_.begin(), full_.end(), id, before);
        return after != full_.begin() && id - (after - 1)->first < (after - 1)->count;
    }
    bool never_full() const { return full_.empty(); }

  private:
    static constexpr std::uint64_t enough = 1024; // states to decide from
    // It does not pay where more than 15 of 16 enabled commands are fired.
    static constexpr std::uint64_t most_fired = 15;
    static constexpr std::uint64_t most_fired_of = 16;

    static bool before(Id id, const Range &range) { return id < range.first; }

    std::uint64_t pause_ = 0;      // levels in which everything is fired, the one at hand included
    std::uint64_t next_pause_ = 1; // twice as long each time that it does not pay
    std::uint64_t states_ = 0;     // where sets were looked for since the last decision
    std::uint64_t enabled_ = 0;
    std::uint64_t fired_ = 0;
    std::vector<Range> full_; // in the order of their ids
};

} // namespace asset
